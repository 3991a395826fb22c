/** Implements RecoveryStore over PostgreSQL. Each process reads it every second, and an operator's command writes it. */
import { UNSENT_STAGES } from '../../domain/payouts/payout.ts';
import type { Recovery, RecoveryRail } from '../../domain/recovery/recovery.ts';
import type { RailReference, RecoveryStore, UnaskedPayouts } from '../../domain/recovery/recovery-store.ts';
import type { Database, Queryable } from '../core/database.ts';
import { stateList, timestamp, timestampOrNull } from '../core/parameters.ts';
import { SEQUENCES } from '../core/sequences.ts';
import { NEXT_ENTRY } from '../payouts/payout-rows.ts';

interface RecoveryRow {
  started_at: number;
  known_until: number;
  started_by: string;
  reason: string;
  completed_at: number | null;
  completed_by: string | null;
}

interface RailRow {
  rail: string;
  compared_at: number | null;
  completed_at: number | null;
  completed_by: string | null;
  forced_because: string | null;
  asks_until: number | null;
}

const LATEST = `
select started_at, known_until, started_by, reason, completed_at, completed_by
from recoveries order by started_at desc limit 1`;

const RAILS = `
select rail, compared_at, completed_at, completed_by, forced_because, asks_until
from recovery_rails where started_at = $1 order by rail`;

/** Each worker reports its health every few seconds. So the latest report gives the time of the backup, or slightly earlier. */
const EXAMINE = 'select pg_is_in_recovery() as is_replaying, (select max(reported_at) from rail_health) as known_until';

/** Calls nextval repeatedly. A sequence then only increases, and the role needs no privilege to set it. */
const SKIP = 'select count(nextval($1::regclass)) from generate_series(1, $2::int)';

/** A million calls in one statement would exceed the query timeout on a busy machine. */
const SKIPPED_AT_ONCE = 50_000;

const SUPERSEDED = `
update recoveries set completed_at = $1, completed_by = $2 where completed_at is null`;

const BEGIN = 'insert into recoveries (started_at, known_until, started_by, reason) values ($1, $2, $3, $4)';

const UNASKED = `
select rail, count(*)::int as count, coalesce(max(note) filter (where not is_held), '') as note,
  count(*) filter (where is_held)::int as held
from (
  select rail, note, coalesce(asked_at >= $1, false) as is_held from payout_jobs
  where stage <> 'at_bank' and paid_by is null and stage_since < $2
    and (asked_at is null or asked_at < $1 or (stage = 'queued' and stage_since < $1))) as waiting
group by rail order by rail`;

const RECORD_COMPARISON = `
insert into recovery_rails (started_at, rail, compared_at) values ($1, $2, $3)
on conflict (started_at, rail) do update set compared_at = excluded.compared_at`;

const COMPLETE_RAIL = `
insert into recovery_rails (started_at, rail, completed_at, completed_by, forced_because, asks_until)
values ($1, $2, $3, $4, $5, $6)
on conflict (started_at, rail) do update set completed_at = excluded.completed_at, completed_by = excluded.completed_by,
  forced_because = excluded.forced_because, asks_until = excluded.asks_until`;

const COMPLETE =
  'update recoveries set completed_at = $2, completed_by = $3 where started_at = $1 and completed_at is null';

const UNACCOUNTED = `
select rail, reference from unnest($1::text[], $2::text[]) as asked(rail, reference)
join unaccounted_payouts using (rail, reference)`;

const COUNT_UNACCOUNTED = 'select rail, count(*)::int as count from unaccounted_payouts group by rail order by rail';

const ACCOUNT = 'delete from unaccounted_payouts where rail = $1 and reference = any($2::text[])';

const RELEASE = `
with released as (
  update payout_jobs set asked_at = $3, due_at = $3, note = '', fence = fence + 1,
    held_because = case held_because when 'seal_broken' then held_because end, stage_since = case when stage = 'queued' then $3 else stage_since end
  where merchant_id = $1 and payout_id = $2 and stage in (${stateList(UNSENT_STAGES)}) and paid_by is null
  returning merchant_id, payout_id),
listed as (
  insert into rail_references (rail, reference, merchant_id, payout_id)
  select k.rail, k.reference, r.merchant_id, r.payout_id
  from released as r cross join unnest($5::text[], $6::text[]) as k(rail, reference)
  on conflict do nothing),
${NEXT_ENTRY}
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select r.merchant_id, r.payout_id, next.entry, $3, 'released', 'pending', 'pending', $7, $4 from released as r cross join next
returning 1`;

export function createRecoveryStore(database: Database): RecoveryStore {
  return {
    latest: () => latest(database),
    async examine() {
      const [row] = await database.query<{ is_replaying: boolean; known_until: number | null }>(EXAMINE);
      return { isReplaying: row?.is_replaying === true, knownUntil: row?.known_until ?? null };
    },
    async skipNumbers(numbers) {
      for (const kind of ['transactionIds', 'addresses'] as const) {
        const { name, blockSize } = SEQUENCES[kind];
        for (let left = Math.ceil(numbers[kind] / blockSize); left > 0; left -= SKIPPED_AT_ONCE)
          await database.query(SKIP, [name, Math.min(left, SKIPPED_AT_ONCE)]);
      }
    },
    begin: ({ startedAt, knownUntil, startedBy, reason }) =>
      database.transaction(async (transaction) => {
        const at = timestamp(startedAt);
        await transaction.query(SUPERSEDED, [at, startedBy]);
        await transaction.query(BEGIN, [at, timestamp(knownUntil), startedBy, reason]);
      }),
    async unasked(since, waitingBefore) {
      const rows = await database.query<UnaskedPayouts>(UNASKED, [timestamp(since), timestamp(waitingBefore)]);
      return rows.map(({ count, held, ...row }) => ({ ...row, held, count: count - held }));
    },
    async reportedRails() {
      const rows = await database.query<{ rail: string }>('select distinct rail from rail_health order by rail');
      return rows.map(({ rail }) => rail);
    },
    async recordComparison(startedAt, rail, at) {
      await database.query(RECORD_COMPARISON, [timestamp(startedAt), rail, timestamp(at)]);
    },
    async completeRail(startedAt, rail, { at, by, forcedBecause, asksUntil }) {
      const until = timestampOrNull(asksUntil);
      await database.query(COMPLETE_RAIL, [timestamp(startedAt), rail, timestamp(at), by, forcedBecause, until]);
    },
    async complete(startedAt, by, at) {
      await database.query(COMPLETE, [timestamp(startedAt), timestamp(at), by]);
    },
    unaccounted: (references) =>
      database.prepared<RailReference>('unaccounted-payouts', UNACCOUNTED, [
        references.map(({ rail }) => rail),
        references.map(({ reference }) => reference),
      ]),
    async countUnaccounted() {
      const rows = await database.query<{ rail: string; count: number }>(COUNT_UNACCOUNTED);
      return new Map(rows.map(({ rail, count }) => [rail, count]));
    },
    async account(rail, references) {
      await database.query(ACCOUNT, [rail, references]);
    },
    async release({ merchantId, payoutId }, references, { by, evidence }, at) {
      const listed = [references.map(({ rail }) => rail), references.map(({ reference }) => reference)];
      return (await database.query(RELEASE, [merchantId, payoutId, timestamp(at), evidence, ...listed, by])).length > 0;
    },
  };
}

async function latest(database: Queryable): Promise<Recovery | undefined> {
  const [row] = await database.query<RecoveryRow>(LATEST);
  if (!row) return undefined;
  const rails = await database.query<RailRow>(RAILS, [timestamp(row.started_at)]);
  const { completed_at: at, completed_by: by } = row;
  return {
    startedAt: row.started_at,
    knownUntil: row.known_until,
    startedBy: row.started_by,
    reason: row.reason,
    completed: at !== null && by !== null ? { at, by } : null,
    rails: rails.map(railFromRow),
  };
}

function railFromRow(row: RailRow): RecoveryRail {
  const { rail, compared_at: comparedAt, completed_at: at, completed_by: by } = row;
  const words = { forcedBecause: row.forced_because, asksUntil: row.asks_until };
  return { rail, comparedAt, completed: at !== null && by !== null ? { at, by, ...words } : null };
}
