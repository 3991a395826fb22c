/**
 * Implements PayoutJobStore over PostgreSQL: what happens to a claimed payout that does not end. claim-payouts.ts claims it.
 * Postponements use group commits.
 */
import type { HistoryReason } from '../../domain/payouts/history-reason.ts';
import type { PayoutState } from '../../domain/payouts/payout.ts';
import type {
  PayoutJobStore,
  Postponement,
  Recognition,
  RecognitionOutcome,
  Rerouting,
} from '../../domain/payouts/payout-job-store.ts';
import { stageAfter, stagesBefore } from '../../domain/payouts/payout-transitions.ts';
import { contradictionOf } from '../../domain/payouts/plan-settlement.ts';
import { type Clock, MINUTE_MS } from '../../foundation/clock.ts';
import { hashPadsOf } from '../../foundation/keyed-hash.ts';
import type { Secret } from '../../foundation/secret.ts';
import { createAcrossServers } from '../cluster/across-servers.ts';
import { createCommitPerServer } from '../cluster/commit-per-server.ts';
import { createDueRowCheck } from '../core/check-due-rows.ts';
import { FOR_CLUSTER } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { inLockOrder } from '../core/lock-order.ts';
import { ESTIMATED_AS_ONE_ROW, stateList, timestamp, timestampOrNull } from '../core/parameters.ts';
import { reportDifferences } from '../differences/difference-store.ts';
import { lockMerchants } from '../ledger/ledger-posting.ts';
import { wakeWaiting } from '../routing/pause-store.ts';
import { claimPayouts } from './claim-payouts.ts';
import { NEXT_ENTRY } from './payout-rows.ts';

const POSTPONE = `
with postponed as (
  select * from json_to_recordset($2) as r(merchant_id text, payout_id text, fence integer, attempts integer, at timestamptz,
    due_at timestamptz, stage text, asks integer, note text, held_because text, attempt_outcome text, asked_at timestamptz,
    stage_since timestamptz) where ${ESTIMATED_AS_ONE_ROW}),
held as (
  update payout_jobs as j set due_at = p.due_at, stage = p.stage, asks = p.asks, note = p.note, held_because = p.held_because,
    asked_at = coalesce(p.asked_at, j.asked_at),
    stage_since = case when j.stage = p.stage then j.stage_since else coalesce(p.stage_since, p.at) end
  from postponed as p
  where j.merchant_id = any($1::text[]) ${FOR_CLUSTER} and j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.fence = p.fence
  returning p.merchant_id, p.payout_id, p.attempts, p.at, p.attempt_outcome, p.note)
update payout_attempts as a set finished_at = p.at, outcome = p.attempt_outcome, detail = p.note
from held as p
where p.attempt_outcome is not null
  and a.merchant_id = any($1::text[]) ${FOR_CLUSTER} and a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = p.attempts`;

const REROUTED = stageAfter('sending', 'not_accepted');
const UNACCEPTED = stateList(stagesBefore('not_accepted', REROUTED));
const RECOGNISED = stageAfter('queued', 'recognised');
const RECOGNISABLE = stateList(stagesBefore('recognised', RECOGNISED));

const REROUTE = `
with moved as (
  update payout_jobs set rail = $4, due_at = $5, note = $6, held_because = null, asks = 0, stage = '${REROUTED}', fence = fence + 1,
    stage_since = case when stage = '${REROUTED}' then stage_since else $7 end
  where merchant_id = $1 and payout_id = $2 and fence = $3 and stage in (${UNACCEPTED})
  returning merchant_id, payout_id, attempts),
named as (
  update payouts as p set rail = $4 from moved as m
  where p.merchant_id = m.merchant_id and p.payout_id = m.payout_id and p.state = 'pending'),
closed as (
  update payout_attempts as a set finished_at = $7, outcome = 'not_accepted', detail = $6 from moved as m
  where a.merchant_id = m.merchant_id and a.payout_id = m.payout_id and a.attempt = m.attempts and a.outcome is distinct from 'not_accepted'),
${NEXT_ENTRY}
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select m.merchant_id, m.payout_id, next.entry, $7, 'rerouted', 'pending', 'pending', 'gateway', $8 from moved as m cross join next`;

/**
 * From then on that bank has the payout, and the worker queries its outcome as at any other bank. If it is too late for that,
 * the attempt at a bank that certainly has the payout ($10) gets a number before the known attempts, because it was sent
 * before them.
 */
const RECOGNISE = `
with taken as (
  update payout_jobs set rail = $4, due_at = $11, note = $7, held_because = null, asks = 0, stage = '${RECOGNISED}', stage_since = $5, fence = fence + 1,
    attempts = attempts + 1, asked_at = $5
  where merchant_id = $1 and payout_id = $2 and ($3::integer is null or fence = $3) and stage in (${RECOGNISABLE})
    and paid_by is null
  returning merchant_id, payout_id, attempts),
late as (
  select p.merchant_id, p.payout_id, least(1, known.first) - 1 as attempts
  from payouts as p cross join (
    select min(attempt) as first, count(*) filter (where rail = $4) as here from payout_attempts where merchant_id = $1 and payout_id = $2) as known
  where p.merchant_id = $1 and p.payout_id = $2 and $10 and known.here = 0 and not exists (select from taken)),
found as (select * from taken union all select * from late),
named as (
  update payouts as p set rail = $4 from taken as t
  where p.merchant_id = t.merchant_id and p.payout_id = t.payout_id and p.state = 'pending'),
attempted as (
  insert into payout_attempts (merchant_id, payout_id, attempt, rail, reference, started_at, send_until, finished_at, outcome, detail)
  select merchant_id, payout_id, attempts, $4, $6, $5, $8, $5, 'pending', $7 from found),
listed as (
  insert into rail_references (rail, reference, merchant_id, payout_id)
  select $4, $6, merchant_id, payout_id from found
  on conflict do nothing),
known as (select state from payouts where merchant_id = $1 and payout_id = $2),
${NEXT_ENTRY},
noted as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
  select f.merchant_id, f.payout_id, next.entry, $5, 'recognised', k.state, k.state, $9, $7
  from found as f cross join known as k cross join next)
select k.state, f.attempts < 1 as is_late from found as f cross join known as k`;

const MAX_BATCH = 256;

/** `referenceKey` is the key of `payoutReference`. */
export function createPayoutJobStore(database: Database, clock: Clock, referenceKey: Secret): PayoutJobStore {
  const pads = hashPadsOf(referenceKey);
  const acrossServers = createAcrossServers(database, clock);
  const postponing = createCommitPerServer<Postponement, undefined>(database, {
    flush: async (items) => {
      const rows = inLockOrder(items, ({ claim }) => claim.payout).map(postponementRow);
      const merchants = items.map(({ claim }) => claim.payout.merchantId);
      await database.prepared('postpone-payouts', POSTPONE, [merchants, JSON.stringify(rows)]);
      return items.map(() => undefined);
    },
    merchantOf: ({ claim }) => claim.payout.merchantId,
    clock,
    maxBatch: MAX_BATCH,
    maxQueued: Number.POSITIVE_INFINITY, // limited by the number of payouts that a worker holds
    patienceMs: MINUTE_MS,
  });
  const dueRowCheck = createDueRowCheck();
  return {
    claim: (wanted) => claimPayouts({ database, acrossServers, pads, dueRowCheck }, wanted),
    postpone: (postponement) => postponing.submit(postponement),
    reroute: (rerouting) => reroute(database, rerouting),
    recognise: (recognitions) => recognise(database, recognitions),
    async railIsBack(rail, dueAt) {
      await database.transaction((transaction) => wakeWaiting(transaction, 'rail_is_back', 'rail', rail, dueAt));
    },
    drain: () => postponing.drain(),
  };
}

async function reroute(database: Database, rerouting: Rerouting): Promise<void> {
  const { claim, at, dueAt, rail, note } = rerouting;
  const { merchantId, payoutId, rail: before } = claim.payout;
  const times = { at: timestamp(at), due: timestamp(dueAt) };
  const reasons = JSON.stringify([['rerouted', before, rail, note]] satisfies HistoryReason[]);
  await database.query(REROUTE, [merchantId, payoutId, claim.fence, rail, times.due, note, times.at, reasons]);
}

function recognise(database: Database, recognitions: readonly Recognition[]): Promise<RecognitionOutcome[]> {
  return database.transaction(async (transaction) => {
    // The payout's end writes its history under the same lock.
    const merchants = recognitions.map(({ claim }) => claim.payout.merchantId);
    await lockMerchants(transaction, merchants);
    const outcomes: RecognitionOutcome[] = [];
    for (const recognition of recognitions) outcomes.push(await recogniseOne(transaction, recognition));
    return outcomes;
  });
}

async function recogniseOne(transaction: Queryable, recognition: Recognition): Promise<RecognitionOutcome> {
  const { claim, at, dueAt = at, rail, reference, writtenFrom, detail, actor, certainly } = recognition;
  const { merchantId, payoutId } = claim.payout;
  // The bank accepted the payout, so this time proves nothing. It only selects the days to search.
  const until = timestamp(writtenFrom);
  const words = [reference, detail, until, actor, certainly !== null, timestamp(dueAt)];
  const values = [merchantId, payoutId, claim.fence, rail, timestamp(at), ...words];
  const [found] = await transaction.query<{ state: PayoutState; is_late: boolean }>(RECOGNISE, values);
  if (!found?.is_late) return found ? 'at_bank' : 'unchanged';
  const contradiction = contradictionOf(
    { ...claim.payout, state: found.state },
    { rail, detail: `${certainly}: ${detail}`, at },
  );
  // The process may end before it reports an execution. The state gate reports that under the same subject.
  const subject = certainly === 'executed' ? contradiction.subject : reference;
  await reportDifferences(transaction, [{ ...contradiction, subject }]);
  return 'too_late';
}

function postponementRow({
  claim: { payout, fence, attempts },
  askedAt,
  stageSince,
  ...to
}: Postponement): Record<string, unknown> {
  return {
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    fence,
    attempts,
    at: timestamp(to.at),
    due_at: timestamp(to.dueAt),
    stage: to.stage,
    asks: to.asks,
    note: to.note,
    held_because: to.heldBecause,
    attempt_outcome: to.attemptOutcome,
    asked_at: timestampOrNull(askedAt ?? null),
    stage_since: timestampOrNull(stageSince ?? null),
  };
}
