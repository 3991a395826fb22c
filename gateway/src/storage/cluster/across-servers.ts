/**
 * Runs work across merchants, such as a claim of due payouts. On a cluster such work concerns all servers, and fails if one is
 * lost. It then continues for the merchants of the other servers.
 */
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { clusterQuestionOf } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { isServerLost } from '../core/database-errors.ts';

/** The servers that a statement reaches: one, all servers of a cluster, or the reachable ones, given by their merchants. */
export type Servers = 'one' | 'all' | readonly MerchantId[];

/** The work may run twice, so a failed run must have changed nothing. */
export type AcrossServers = <Result>(work: (servers: Servers) => Promise<Result>) => Promise<Result>;

/** Returns one row for each shard. `success` is false for a shard on an unreachable server. */
const MERCHANTS_OF_SHARDS = `
select success, result from run_command_on_placements('merchants', 'select coalesce(json_agg(merchant_id), ''[]'') from %s')`;

interface Shard {
  readonly success: boolean;
  readonly result: string;
}

const asking = new WeakMap<object, Promise<readonly Shard[]>>();

/** Calls at the same time share one query. Eight of them at once took up to 4.5 s while a server was lost. */
function askOnce(database: Database): Promise<readonly Shard[]> {
  const running = asking.get(database);
  if (running) return running;
  const answer = database.query<Shard>(MERCHANTS_OF_SHARDS).finally(() => asking.delete(database));
  asking.set(database, answer);
  return answer;
}

/** The gateway looks for lost servers again after this time, so the return of a server is noticed after at most this delay. */
const FRESH_MS = 2 * SECOND_MS;

export function createAcrossServers(database: Database, clock: Pick<Clock, 'now'>): AcrossServers {
  const isCluster = clusterQuestionOf(database);
  let servers: Servers = 'all';
  let lookAt: Instant = 0;

  async function look(): Promise<Servers> {
    const shards = await askOnce(database);
    const reached = shards.filter(({ success }) => success);
    lookAt = clock.now() + FRESH_MS;
    servers = reached.length === shards.length ? 'all' : reached.flatMap(({ result }) => JSON.parse(result));
    return servers;
  }

  return async (work) => {
    if (!(await isCluster(database))) return work('one');
    if (servers !== 'all' && clock.now() >= lookAt) await look();
    if (servers !== 'all') return work(servers);
    try {
      return await work('all');
    } catch (error) {
      if (!isServerLost(error)) throw error;
      return work(await look());
    }
  };
}

/** The texts of a statement, by the servers that it reaches. */
export interface Texts {
  readonly one: string;
  readonly all: string;
  readonly reachable: string;
}

export const textsOf = (statement: (servers: Servers) => string): Texts => ({
  one: statement('one'),
  all: statement('all'),
  reachable: statement([]),
});

/** The condition of a statement that limits the rows of `table` to the merchants of the reachable servers, which `parameter` lists. */
export function ofReachable(servers: Servers, table: string, parameter: string): string {
  return typeof servers === 'string' ? '' : ` and ${table}.merchant_id = any(${parameter}::text[])`;
}

/** Runs the text for these servers. The merchants of the reachable servers are its last parameter. */
export function runAt<Row>(
  queryable: Queryable,
  servers: Servers,
  name: string,
  texts: Texts,
  values: readonly unknown[],
): Promise<Row[]> {
  if (servers === 'one') return queryable.prepared<Row>(name, texts.one, values);
  if (servers === 'all') return queryable.prepared<Row>(`${name}-all`, texts.all, values);
  return queryable.prepared<Row>(`${name}-reachable`, texts.reachable, [...values, servers]);
}

/** Runs a statement that is too rare to know which servers are lost. Without a name it is not prepared. */
export function sweep<Row>(
  database: Database,
  texts: Texts,
  values: readonly unknown[],
  name?: string,
): Promise<Row[]> {
  return createAcrossServers(database, { now: () => 0 })((servers) => {
    if (name !== undefined) return runAt<Row>(database, servers, name, texts, values);
    return typeof servers === 'string'
      ? database.query<Row>(texts[servers], values)
      : database.query<Row>(texts.reachable, [...values, servers]);
  });
}

/**
 * Writes rows of several servers. If a server is lost, it writes each group alone, so that the other servers keep theirs, and
 * then throws. The groups must not depend on each other.
 */
export async function writeGroups<Row>(
  rows: readonly Row[],
  groupOf: (row: Row) => string,
  write: (rows: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  try {
    await write(rows);
  } catch (error) {
    const groups = [...Map.groupBy(rows, groupOf).values()];
    if (!isServerLost(error) || groups.length === 1) throw error;
    const isWritten = [];
    for (const group of groups)
      isWritten.push(
        await write(group).then(
          () => true,
          () => false,
        ),
      );
    if (isWritten.includes(false)) throw error;
  }
}
