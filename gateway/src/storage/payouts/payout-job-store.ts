/**
 * Implements PayoutJobStore over PostgreSQL. One statement claims jobs and begins their attempts. Postponements use group
 * commits. It calls no bank.
 */
import type { PayoutStage, PayoutState } from '../../domain/payouts/payout.ts';
import {
  type ClaimedPayout,
  type PayoutClaim,
  type PayoutJobStore,
  type Postponement,
  type Recognition,
  type RecognitionOutcome,
  type Rerouting,
  SEAL_NOTES,
} from '../../domain/payouts/payout-job-store.ts';
import { hashPadsOf, REFERENCE_HASH_BYTES, REFERENCE_MARK } from '../../domain/payouts/payout-order.ts';
import { contradictionOf } from '../../domain/payouts/plan-settlement.ts';
import { type Clock, MINUTE_MS } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import { lockKey } from '../core/advisory-locks.ts';
import { ESTIMATED_AS_ONE_ROW } from '../core/batch-parameter.ts';
import { createDueRowCheck, type DueRowCheck } from '../core/check-due-rows.ts';
import { type Database, type Queryable, timestamp, timestampOrNull } from '../core/database.ts';
import { createGroupCommit } from '../core/group-commit.ts';
import { reportDifferences } from '../differences/difference-store.ts';
import { lockMerchants } from '../ledger/ledger-posting.ts';
import { wakeWaiting } from '../routing/pause-store.ts';
import { witnessRows } from '../routing/rail-health-store.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

interface ClaimedRow extends PayoutRow {
  stage: PayoutStage;
  stage_since: number;
  fence: number;
  attempts: number;
  asks: number;
  note: string;
  paid_by: string | null;
  asked_at: number | null;
  approve_by: number | null;
  begins: boolean;
  seal: Buffer | null;
  reference: string | null;
  send_until: number | null;
  master_key_id: string | null;
  wrapped_key: Buffer;
  ciphertext: Buffer;
}

/**
 * SQL for the result of `payoutReference` (domain/payouts/payout-order.ts) for a payout `p` at rail $1, because only the
 * statement knows which payouts it claims. $5 and $6 are the keyed blocks of HMAC-SHA256.
 */
const PAYOUT_REFERENCE = `'${REFERENCE_MARK}' || upper(encode(substring(
  sha256($6::bytea || sha256($5::bytea || convert_to($1 || '/' || p.merchant_id || '/' || p.payout_id, 'UTF8')))
  from 1 for ${REFERENCE_HASH_BYTES}), 'hex'))`;

/** The common reference of the earlier attempts at rail $1, for the claim `c`. */
const EARLIER_REFERENCE = `case when c.attempts > 1 then (
  select min(b.reference) from payout_attempts as b
  where b.merchant_id = p.merchant_id and b.payout_id = p.payout_id and b.rail = $1) end`;

const HELD_BY_SEAL = `note = any('{${Object.values(SEAL_NOTES).join()}}')`;

/** More than the claims that one payout can have between two restores. */
const FENCES_PER_RECOVERY = 1_000_000;

/**
 * A worker that outlived a restore of the database claims nothing: it does not know the latest recovery ($15), or its own last
 * reports ($16, $17) are gone. Claims after a restore get higher fences than all claims that the restore forgot. So the
 * result of such a claim, if its worker records it late, changes nothing.
 *
 * One process at a time claims for a rail, because two would compete for the same rows or deadlock. A job that changed after it
 * was found due waits for the next round, so `begins` never concerns an older state. A later attempt at a rail keeps the
 * reference of the earlier one there, whatever its form.
 */
const claimStatement = (stage: string) => `
with turn as materialized (
  select pg_try_advisory_xact_lock(${lockKey('turn', "'claim/' || $1")})
      and max(started_at) is not distinct from $15::timestamptz
      and not exists (
        select from json_to_recordset($17) as w(rail text, at timestamptz)
        where not exists (
          select from rail_health as h where h.rail = w.rail and h.process = $16 and h.reported_at >= w.at)) as mine,
    count(*)::integer * ${FENCES_PER_RECOVERY} as least_fence
  from recoveries),
due as materialized (
  select merchant_id, payout_id, stage, fence,
    stage = 'queued' and paid_by is null and not ${HELD_BY_SEAL} and not (merchant_id = any($8::text[]) or coalesce(method = any($9::smallint[]), false)
      or purpose = any($10::text[]) or $1 = any($11::text[]))
      and ($14::timestamptz is null or coalesce(asked_at >= $14, false))
      and ($18::timestamptz is null or stage_since >= $18) as begins
  from (
    select * from payout_jobs
    where rail = $1 and due_at <= $2 and ${stage} and (not $12 or stage = 'queued') and (select mine from turn)
    order by due_at limit $13) as first),
claimed as (
  update payout_jobs as j set due_at = $3, fence = greatest(j.fence, (select least_fence from turn)) + 1,
    stage = case when d.begins then 'sending' else j.stage end,
    stage_since = case when d.begins then $2 else j.stage_since end,
    attempts = j.attempts + d.begins::int,
    asks = case when d.begins then 0 else j.asks end,
    note = case when d.begins then '' else j.note end
  from due as d
  where j.merchant_id = d.merchant_id and j.payout_id = d.payout_id
    and j.rail = $1 and j.due_at <= $2 and j.fence = d.fence and j.stage = d.stage
  returning j.merchant_id, j.payout_id, j.stage, j.stage_since, j.fence, j.attempts, j.asks, j.note, j.paid_by, j.asked_at,
    j.approve_by, d.begins),
read as materialized (
  select ${PAYOUT_COLUMNS}, c.stage, c.stage_since, c.fence, c.attempts, c.asks, c.note, c.paid_by, c.asked_at, c.approve_by, c.begins, p.seal,
    case when c.begins then coalesce(${EARLIER_REFERENCE}, ${PAYOUT_REFERENCE}) else a.reference end as reference,
    case when c.begins then $4 else a.send_until end as send_until,
    v.master_key_id, v.wrapped_key, v.ciphertext
  from claimed as c
  join payouts as p using (merchant_id, payout_id)
  left join payout_attempts as a
    on a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = c.attempts
  left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token),
recorded as (
  insert into payout_attempts (merchant_id, payout_id, attempt, rail, reference, started_at, send_until)
  select merchant_id, payout_id, attempts, $1, reference, $2, send_until from read where begins),
listed as (
  insert into rail_references (rail, reference, merchant_id, payout_id)
  select $1, reference, merchant_id, payout_id from read where begins and $7
  on conflict do nothing)
select * from read`;

const IS_DUE = `
select 1 from payout_jobs where rail = $1 and due_at <= $2 and stage <> 'awaiting_approval' order by due_at limit 1`;

const CLAIM = claimStatement(`stage <> 'awaiting_approval'`);

/** Only while banks must be asked first: a payout that awaits its approval may have been sent before the restore. */
const CLAIM_AWAITING = claimStatement(`stage = 'awaiting_approval' and coalesce(asked_at < $14, true)`);

const POSTPONE = `
with put_off as (
  select * from json_to_recordset($1) as r(merchant_id text, payout_id text, fence integer, attempts integer, at timestamptz,
    due_at timestamptz, stage text, asks integer, note text, attempt_outcome text, asked_at timestamptz) where ${ESTIMATED_AS_ONE_ROW}),
held as (
  update payout_jobs as j set due_at = p.due_at, stage = p.stage, asks = p.asks, note = p.note,
    asked_at = coalesce(p.asked_at, j.asked_at), stage_since = case when j.stage = p.stage then j.stage_since else p.at end
  from put_off as p where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.fence = p.fence
  returning p.merchant_id, p.payout_id, p.attempts, p.at, p.attempt_outcome, p.note)
update payout_attempts as a set finished_at = p.at, outcome = p.attempt_outcome, detail = p.note
from held as p
where p.attempt_outcome is not null
  and a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = p.attempts`;

const REROUTE = `
with moved as (
  update payout_jobs set rail = $4, due_at = $5, note = $6, asks = 0, stage = 'queued', fence = fence + 1,
    stage_since = case when stage = 'queued' then stage_since else $7 end
  where merchant_id = $1 and payout_id = $2 and fence = $3 and stage <> 'awaiting_approval'
  returning merchant_id, payout_id, attempts),
named as (
  update payouts as p set rail = $4 from moved as m
  where p.merchant_id = m.merchant_id and p.payout_id = m.payout_id and p.state = 'pending'),
closed as (
  update payout_attempts as a set finished_at = $7, outcome = 'not_accepted', detail = $6 from moved as m
  where a.merchant_id = m.merchant_id and a.payout_id = m.payout_id and a.attempt = m.attempts and a.outcome is distinct from 'not_accepted')
insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
select merchant_id, payout_id,
  (select coalesce(max(h.entry), 1) + 1 from payout_history as h where h.merchant_id = m.merchant_id and h.payout_id = m.payout_id),
  $7, 'rerouted', 'pending', 'pending', 'gateway', $8 from moved as m`;

/**
 * From then on that bank has the payout, and the worker asks it for the outcome like any other bank. If it is too late for
 * that, the attempt of a bank that certainly has it ($10) gets a number before the known ones: it was sent before them.
 */
const RECOGNISE = `
with taken as (
  update payout_jobs set rail = $4, due_at = $5, note = $7, asks = 0, stage = 'at_bank', stage_since = $5, fence = fence + 1,
    attempts = attempts + 1, asked_at = $5
  where merchant_id = $1 and payout_id = $2 and ($3::integer is null or fence = $3) and stage in ('queued', 'awaiting_approval')
    and paid_by is null
  returning merchant_id, payout_id, attempts),
late as (
  select p.merchant_id, p.payout_id, least(1, (
    select min(a.attempt) from payout_attempts as a where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id)) - 1 as attempts
  from payouts as p
  where p.merchant_id = $1 and p.payout_id = $2 and $10 and not exists (select from taken) and not exists (
    select from payout_attempts as a
    where a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.rail = $4)),
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
noted as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
  select f.merchant_id, f.payout_id,
    (select coalesce(max(h.entry), 1) + 1 from payout_history as h where h.merchant_id = f.merchant_id and h.payout_id = f.payout_id),
    $5, 'recognised', p.state, p.state, $9, $7 from found as f join payouts as p using (merchant_id, payout_id))
select p.state, f.attempts < 1 as is_late from found as f join payouts as p using (merchant_id, payout_id)`;

const MAX_BATCH = 256;

/** `referenceKey` is the key of `payoutReference`. */
export function createPayoutJobStore(database: Database, clock: Clock, referenceKey: Secret): PayoutJobStore {
  const pads = hashPadsOf(referenceKey);
  const postponing = createGroupCommit<Postponement, undefined>({
    flush: async (items) => {
      await database.prepared('postpone-payouts', POSTPONE, [JSON.stringify(items.map(postponementRow))]);
      return items.map(() => undefined);
    },
    merchantOf: ({ claim }) => claim.payout.merchantId,
    clock,
    maxBatch: MAX_BATCH,
    maxQueued: Number.POSITIVE_INFINITY, // bounded by the payouts that a worker holds
    patienceMs: MINUTE_MS,
  });
  const dueRowCheck = createDueRowCheck();
  return {
    claim: (wanted) => claim(database, pads, dueRowCheck, wanted),
    postpone: (postponement) => postponing.submit(postponement),
    reroute: (rerouting) => reroute(database, rerouting),
    recognise: (recognitions) => recognise(database, recognitions),
    async railIsBack(rail, dueAt) {
      await database.transaction((transaction) => wakeWaiting(transaction, 'down', rail, dueAt));
    },
    drain: () => postponing.drain(),
  };
}

async function claim(
  database: Database,
  pads: ReturnType<typeof hashPadsOf>,
  dueRowCheck: DueRowCheck,
  wanted: PayoutClaim,
): Promise<ClaimedPayout[]> {
  const { rail, leaseUntil, limit } = wanted;
  const read = (name: string, text: string, most: number) =>
    database.prepared<ClaimedRow>(name, text, claimValues(pads, wanted, most));
  const isDue = async () =>
    (await database.prepared('is-payout-due', IS_DUE, [rail, timestamp(wanted.now)])).length > 0;
  const rows = [...(await dueRowCheck(rail, isDue, () => read('claim-payouts', CLAIM, limit)))];
  if (wanted.asksFirstSince !== null && !wanted.queuedOnly && rows.length < limit)
    rows.push(...(await read('claim-awaiting', CLAIM_AWAITING, limit - rows.length)));
  return rows.map((row) => claimedFromRow(row, leaseUntil));
}

function claimValues(
  { inner, outer }: ReturnType<typeof hashPadsOf>,
  wanted: PayoutClaim,
  limit: number,
): readonly unknown[] {
  const { leaseUntil, paused } = wanted;
  return [
    wanted.rail,
    timestamp(wanted.now),
    timestamp(leaseUntil),
    timestamp(wanted.sendUntil),
    inner,
    outer,
    wanted.inDirectory,
    paused.merchant,
    paused.method,
    paused.purpose,
    paused.rail,
    wanted.queuedOnly,
    limit,
    timestampOrNull(wanted.asksFirstSince),
    timestampOrNull(wanted.restoredAt),
    wanted.witness?.process ?? null,
    witnessRows(wanted.witness ?? { reported: [] }),
    timestampOrNull(wanted.heldBefore ?? null),
  ];
}

async function reroute(database: Database, { claim, at, dueAt, rail, note }: Rerouting): Promise<void> {
  const { merchantId, payoutId, rail: before } = claim.payout;
  const times = { at: timestamp(at), due: timestamp(dueAt) };
  const detail = `from ${before} to ${rail}: ${note}`;
  await database.query(REROUTE, [merchantId, payoutId, claim.fence, rail, times.due, note, times.at, detail]);
}

function recognise(database: Database, recognitions: readonly Recognition[]): Promise<RecognitionOutcome[]> {
  return database.transaction(async (transaction) => {
    // The payout's end writes its history under the same lock.
    await lockMerchants(
      transaction,
      recognitions.map(({ claim }) => claim.payout.merchantId),
    );
    const outcomes: RecognitionOutcome[] = [];
    for (const recognition of recognitions) outcomes.push(await recogniseOne(transaction, recognition));
    return outcomes;
  });
}

async function recogniseOne(transaction: Queryable, recognition: Recognition): Promise<RecognitionOutcome> {
  const { claim, at, rail, reference, writtenFrom, detail, actor, certainly } = recognition;
  const { merchantId, payoutId } = claim.payout;
  // The bank took the payout, so this time proves nothing. It only selects the days to search.
  const until = timestamp(writtenFrom);
  const words = [reference, detail, until, actor, certainly !== null];
  const values = [merchantId, payoutId, claim.fence, rail, timestamp(at), ...words];
  const [found] = await transaction.query<{ state: PayoutState; is_late: boolean }>(RECOGNISE, values);
  if (!found?.is_late) return found ? 'at_bank' : 'unchanged';
  const contradiction = contradictionOf(
    { ...claim.payout, state: found.state },
    { rail, detail: `${certainly}: ${detail}`, at },
  );
  // The process may end before it reports an execution. The gate reports that under the same subject.
  const subject = certainly === 'executed' ? contradiction.subject : reference;
  await reportDifferences(transaction, [{ ...contradiction, subject }]);
  return 'too_late';
}

function claimedFromRow(row: ClaimedRow, leaseUntil: number): ClaimedPayout {
  const { merchant_id: merchantId, vault_token: token, master_key_id: masterKeyId } = row;
  return {
    payout: payoutFromRow(row),
    vaultRecord:
      token !== null && masterKeyId !== null
        ? { merchantId, token, sealed: { masterKeyId, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext } }
        : null,
    seal: row.seal,
    stage: row.stage,
    stageSince: row.stage_since,
    dueAt: leaseUntil,
    leaseUntil,
    fence: row.fence,
    attempts: row.attempts,
    asks: row.asks,
    note: row.note,
    paidBy: row.paid_by,
    askedAt: row.asked_at,
    approveBy: row.approve_by,
    isBegun: row.begins,
    reference: row.reference,
    sendUntil: row.send_until,
  };
}

function postponementRow({
  claim: { payout, fence, attempts },
  askedAt,
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
    attempt_outcome: to.attemptOutcome,
    asked_at: timestampOrNull(askedAt ?? null),
  };
}
