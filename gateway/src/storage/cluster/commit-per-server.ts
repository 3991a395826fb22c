/**
 * A group commit for each server that holds merchants. On a cluster a batch then changes rows of one server and commits
 * there in one phase, and a lost server delays its own merchants only. On a single server all calls share one group
 * commit.
 */
import { type Clock, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { clusterQuestionOf } from '../core/cluster-text.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitOptions } from '../core/commits/group-commit.ts';
import type { Database } from '../core/database.ts';
import { isTransient } from '../core/database-errors.ts';

export function createCommitPerServer<Item, Outcome>(
  database: Database,
  options: GroupCommitOptions<Item, Outcome> & { readonly merchantOf: (item: Item) => MerchantId },
): GroupCommit<Item, Outcome> {
  const serverOf = createServerQuestion(database, options.clock);
  const groups = new Map<number, GroupCommit<Item, Outcome>>();
  const asked = new Set<Promise<unknown>>();

  function submitAt(server: number, item: Item): Promise<Outcome> {
    const group = groups.get(server) ?? createGroupCommit(options);
    groups.set(server, group);
    return group.submit(item);
  }

  return {
    submit(item) {
      const server = serverOf(options.merchantOf(item));
      if (typeof server === 'number') return submitAt(server, item);
      asked.add(server);
      return server.finally(() => asked.delete(server)).then((found) => submitAt(found, item));
    },
    async drain() {
      await Promise.all(asked);
      await Promise.all([...groups.values()].map((group) => group.drain()));
    },
  };
}

/** Reads the coordinator's metadata, so the query reaches no other server. */
const SERVER_OF = `
select groupid as server from pg_dist_placement where shardid = get_shard_id_for_distribution_column('merchants', $1::text)`;

/** For this time a rebalanced merchant may be in the wrong batches, which costs only a second commit phase. */
const PLACE_FRESH_MS = MINUTE_MS;

/** Returns a function that finds a merchant's server: 0 for a single server, or if the coordinator does not respond. */
function createServerQuestion(database: Database, clock: Clock): (merchantId: MerchantId) => number | Promise<number> {
  const isCluster = clusterQuestionOf(database);
  const known = new Map<MerchantId, { readonly server: number; readonly readAt: Instant }>();
  let isSingle = false;

  async function ask(merchantId: MerchantId): Promise<number> {
    try {
      isSingle = !(await isCluster(database));
      if (isSingle) return 0;
      const [row] = await database.prepared<{ server: number }>('server-of-merchant', SERVER_OF, [merchantId]);
      const server = row?.server ?? 0;
      known.set(merchantId, { server, readAt: clock.now() });
      return server;
    } catch (error) {
      if (isTransient(error)) return 0;
      throw error;
    }
  }

  return (merchantId) => {
    if (isSingle) return 0;
    const place = known.get(merchantId);
    return place && Math.abs(clock.now() - place.readAt) < PLACE_FRESH_MS ? place.server : ask(merchantId);
  };
}
