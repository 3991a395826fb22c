/**
 * Claims the due payouts of a rail: one statement acquires their leases, and begins the attempt of each payout that may be
 * sent now. It calls no bank.
 */
import type { HoldReason } from '../../domain/payouts/hold-reasons.ts';
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutClaim } from '../../domain/payouts/payout-job-store.ts';
import { REFERENCE_HASH_BYTES, REFERENCE_MARK } from '../../domain/payouts/payout-order.ts';
import { stageAfter, stagesBefore } from '../../domain/payouts/payout-transitions.ts';
import type { hashPadsOf } from '../../foundation/keyed-hash.ts';
import {
  type AcrossServers,
  ofReachable,
  runAt,
  type Servers,
  type Texts,
  textsOf,
} from '../cluster/across-servers.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { DueRowCheck } from '../core/check-due-rows.ts';
import type { Database, Queryable } from '../core/database.ts';
import { LOCK_ORDER } from '../core/lock-order.ts';
import {
  columnArrays,
  ESTIMATED_AS_ONE_ROW,
  nameParameters,
  stateList,
  timestamp,
  timestampOrNull,
  unnestFrom,
} from '../core/parameters.ts';
import { witnessRows } from '../rails/rail-health-store.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

interface ClaimedRow extends PayoutRow {
  stage: PayoutStage;
  stage_since: number;
  fence: number;
  attempts: number;
  asks: number;
  note: string;
  held_because: HoldReason | null;
  paid_by: string | null;
  asked_at: number | null;
  approve_by: number | null;
  begins: boolean;
  seal: Buffer | null;
  was_final: boolean;
  entries: number;
  reference: string | null;
  send_until: number | null;
  master_key_id: string | null;
  wrapped_key: Buffer;
  ciphertext: Buffer;
}

const { position: OF, valuesOf } = nameParameters(
  'rail',
  'now',
  'leaseUntil',
  'sendUntil',
  'innerPad',
  'outerPad',
  'pausedMerchants',
  'pausedMethods',
  'pausedPurposes',
  'isRailHeld',
  'queuedOnly',
  'limit',
  'asksFirstSince',
  'restoredAt',
  'process',
  'reported',
  'heldBefore',
  'inDirectory',
);
/** On a cluster the last parameter is different: the merchants of the reachable servers, if a server is lost. */
const REACHABLE = OF.inDirectory;

/**
 * SQL for the result of `payoutReference` (domain/payouts/payout-order.ts) for a payout `p` at the rail of the claim, because
 * only the statement knows which payouts it claims. `innerPad` and `outerPad` are the keyed blocks of HMAC-SHA256.
 */
const PAYOUT_REFERENCE = `'${REFERENCE_MARK}' || upper(encode(substring(
  sha256(${OF.outerPad}::bytea || sha256(${OF.innerPad}::bytea || convert_to(${OF.rail} || '/' || p.merchant_id || '/' || p.payout_id, 'UTF8')))
  from 1 for ${REFERENCE_HASH_BYTES}), 'hex'))`;

/** The common reference of the earlier attempts at the rail of the claim, for the claim `c`. */
const earlierReference = (servers: Servers) => `case when c.attempts > 1 then (
  select min(b.reference) from payout_attempts as b
  where b.merchant_id = p.merchant_id and b.payout_id = p.payout_id and b.rail = ${OF.rail}${ofReachable(servers, 'b', REACHABLE)}) end`;

const BEGUN = stageAfter('queued', 'begun');
const BEGINNABLE = stateList(stagesBefore('begun', BEGUN));

/** More than the claims that one payout can have between two restores. */
const FENCES_PER_RECOVERY = 1_000_000;

const INSERT_ATTEMPTS = `
insert into payout_attempts (merchant_id, payout_id, attempt, rail, reference, started_at, send_until)
select merchant_id, payout_id, attempts,`;
const INSERT_REFERENCES = 'insert into rail_references (rail, reference, merchant_id, payout_id) select';

/** The end of a claim on one server. */
const RECORD_ATTEMPTS = `,
recorded as (
  ${INSERT_ATTEMPTS} ${OF.rail}, reference, ${OF.now}, send_until from read where begins),
listed as (
  ${INSERT_REFERENCES} ${OF.rail}, reference, merchant_id, payout_id from read where begins and ${OF.inDirectory}
  on conflict do nothing)`;

/** The same on a cluster, for the begun attempts in arrays. */
const BEGUN_ROW = {
  merchant_id: 'text',
  payout_id: 'text',
  attempts: 'integer',
  reference: 'text',
  send_until: 'timestamptz',
};
const AFTER_BEGUN = Object.keys(BEGUN_ROW).length;
const CLUSTER_ATTEMPTS = `
${INSERT_ATTEMPTS} $${AFTER_BEGUN + 1}::text, reference, $${AFTER_BEGUN + 2}::timestamptz, send_until from ${unnestFrom(1, BEGUN_ROW)}`;
const CLUSTER_REFERENCES = `
${INSERT_REFERENCES} $3, reference, merchant_id, payout_id from unnest($1::text[], $2::text[], $4::text[]) as r(merchant_id, payout_id, reference)
on conflict do nothing`;

/**
 * A worker that outlived a restore of the database claims nothing: it does not know the latest recovery (`restoredAt`), or its
 * own last reports (`process`, `reported`) are gone. Claims after a restore get higher fences than all claims that the restore
 * lost. So the result of such a claim, if its worker records it late, has no effect. On a cluster, other statements insert the
 * attempts: Citus would send the rows that an insert reads from a `with` query to every server, and fail while one is lost.
 * One process at a time claims for a rail, because two would compete for the same rows. A job that changed after it was found
 * due waits for the next round, so `begins` never concerns an older state. It is the plan `begin` of plan-claim.ts. A later
 * attempt at a rail keeps the reference of the earlier attempt there, whatever its form.
 */
const claimStatement = (stage: string, servers: Servers) => `
with turn as materialized (
  select pg_try_advisory_xact_lock(${lockKey('turn', `'claim/' || ${OF.rail}`)})
      and max(started_at) is not distinct from ${OF.restoredAt}::timestamptz
      and not exists (
        select from json_to_recordset(${OF.reported}) as w(rail text, at timestamptz)
        where not exists (
          select from rail_health as h where h.rail = w.rail and h.process = ${OF.process} and h.reported_at >= w.at)) as mine,
    count(*)::integer * ${FENCES_PER_RECOVERY} as least_fence
  from recoveries),
due as materialized (
  select merchant_id, payout_id, stage, fence,
    stage in (${BEGINNABLE}) and paid_by is null and held_because is distinct from 'seal_broken' and not (merchant_id = any(${OF.pausedMerchants}::text[]) or coalesce(method = any(${OF.pausedMethods}::smallint[]), false)
      or purpose = any(${OF.pausedPurposes}::text[]) or ${OF.isRailHeld}::boolean)
      and (${OF.asksFirstSince}::timestamptz is null or coalesce(asked_at >= ${OF.asksFirstSince}, false))
      and (${OF.heldBefore}::timestamptz is null or stage_since >= ${OF.heldBefore}) as begins, row_number() over () as place
  from (
    select * from payout_jobs
    where rail = ${OF.rail} and due_at <= ${OF.now} and ${stage} and (not ${OF.queuedOnly} or stage = 'queued') and (select mine from turn)${ofReachable(servers, 'payout_jobs', REACHABLE)}
    order by due_at limit ${OF.limit}) as first),
claimed as (
  update payout_jobs as j set due_at = ${OF.leaseUntil}, fence = greatest(j.fence, (select least_fence from turn)) + 1,
    stage = case when d.begins then '${BEGUN}' else j.stage end,
    stage_since = case when d.begins then ${OF.now} else j.stage_since end,
    attempts = j.attempts + d.begins::int,
    asks = case when d.begins then 0 else j.asks end,
    note = case when d.begins then '' else j.note end,
    held_because = case when d.begins then null else j.held_because end
  from (select * from due where ${ESTIMATED_AS_ONE_ROW} order by ${LOCK_ORDER}) as d
  where j.merchant_id = d.merchant_id and j.payout_id = d.payout_id
    and j.rail = ${OF.rail} and j.due_at <= ${OF.now} and j.fence = d.fence and j.stage = d.stage${ofReachable(servers, 'j', REACHABLE)}
  returning j.merchant_id, j.payout_id, j.stage, j.stage_since, j.fence, j.attempts, j.asks, j.note, j.held_because, j.paid_by, j.asked_at,
    j.approve_by, d.begins, d.place),
read as materialized (
  select ${PAYOUT_COLUMNS}, c.stage, c.stage_since, c.fence, c.attempts, c.asks, c.note, c.held_because, c.paid_by, c.asked_at, c.approve_by, c.begins, c.place, p.seal,
    exists (select from payout_history as h
      where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id and h.to_state <> 'pending'${ofReachable(servers, 'h', REACHABLE)}) as was_final,
    coalesce((select max(h.entry) from payout_history as h where h.merchant_id = p.merchant_id and h.payout_id = p.payout_id${ofReachable(servers, 'h', REACHABLE)}), 1) as entries,
    case when c.begins then coalesce(${earlierReference(servers)}, ${PAYOUT_REFERENCE}) else a.reference end as reference,
    case when c.begins then ${OF.sendUntil} else a.send_until end as send_until,
    v.master_key_id, v.wrapped_key, v.ciphertext
  from claimed as c
  join payouts as p on p.merchant_id = c.merchant_id and p.payout_id = c.payout_id${ofReachable(servers, 'p', REACHABLE)}
  left join payout_attempts as a
    on a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = c.attempts${ofReachable(servers, 'a', REACHABLE)}
  left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token${ofReachable(servers, 'v', REACHABLE)})${servers === 'one' ? RECORD_ATTEMPTS : ''}
select * from read order by place`;

const isDueStatement = (servers: Servers) => `
select 1 from payout_jobs where rail = $1 and due_at <= $2 and stage <> 'awaiting_approval'${ofReachable(servers, 'payout_jobs', '$3')}
order by due_at limit 1`;

const NOT_AWAITING = `stage <> 'awaiting_approval'`;
/** Only while banks must be queried first: a payout that waits for approval may have been sent before the restore. */
const AWAITING = `stage = 'awaiting_approval' and coalesce(asked_at < ${OF.asksFirstSince}, true)`;

const IS_DUE = textsOf(isDueStatement);
export const CLAIM = textsOf((servers) => claimStatement(NOT_AWAITING, servers));
const CLAIM_AWAITING = textsOf((servers) => claimStatement(AWAITING, servers));

interface ClaimParts {
  readonly database: Database;
  readonly acrossServers: AcrossServers;
  readonly pads: ReturnType<typeof hashPadsOf>;
  readonly dueRowCheck: DueRowCheck;
}

export async function claimPayouts(parts: ClaimParts, wanted: PayoutClaim): Promise<ClaimedPayout[]> {
  const { database, acrossServers, dueRowCheck } = parts;
  const { rail, leaseUntil, limit } = wanted;
  const isDue = async () => {
    const values = [rail, timestamp(wanted.now)];
    const due = await acrossServers((servers) => runAt(database, servers, 'is-payout-due', IS_DUE, values));
    return due.length > 0;
  };
  const rows = [...(await dueRowCheck(rail, isDue, () => claimRows(parts, wanted, 'claim-payouts', CLAIM, limit)))];
  if (wanted.asksFirstSince !== null && !wanted.queuedOnly && rows.length < limit)
    rows.push(...(await claimRows(parts, wanted, 'claim-awaiting', CLAIM_AWAITING, limit - rows.length)));
  return rows.map((row) => claimedFromRow(row, leaseUntil));
}

function claimRows(
  { database, acrossServers, pads }: ClaimParts,
  wanted: PayoutClaim,
  name: string,
  texts: Texts,
  limit: number,
): Promise<readonly ClaimedRow[]> {
  const values = claimValues(pads, wanted, limit);
  return acrossServers((servers) => {
    if (servers === 'one') return database.prepared<ClaimedRow>(name, texts.one, values);
    return database.transaction(async (transaction) => {
      const rows = await runAt<ClaimedRow>(transaction, servers, name, texts, values.slice(0, -1));
      await recordAttempts(
        transaction,
        wanted,
        rows.filter(({ begins }) => begins),
      );
      return rows;
    });
  });
}

async function recordAttempts(
  transaction: Queryable,
  { rail, now, inDirectory }: PayoutClaim,
  begun: readonly ClaimedRow[],
): Promise<void> {
  if (begun.length === 0) return;
  const rows = begun.map((row) => ({ ...row, send_until: timestampOrNull(row.send_until) }));
  const attempts = columnArrays(rows, BEGUN_ROW);
  await transaction.prepared('record-attempts', CLUSTER_ATTEMPTS, [...attempts, rail, timestamp(now)]);
  const [merchants, payouts, , references] = attempts;
  if (inDirectory)
    await transaction.prepared('list-references', CLUSTER_REFERENCES, [merchants, payouts, rail, references]);
}

function claimValues(
  { inner, outer }: ReturnType<typeof hashPadsOf>,
  wanted: PayoutClaim,
  limit: number,
): readonly unknown[] {
  const { rail, paused, witness } = wanted;
  return valuesOf({
    rail,
    now: timestamp(wanted.now),
    leaseUntil: timestamp(wanted.leaseUntil),
    sendUntil: timestamp(wanted.sendUntil),
    innerPad: inner,
    outerPad: outer,
    inDirectory: wanted.inDirectory,
    pausedMerchants: paused.merchant,
    pausedMethods: paused.method,
    pausedPurposes: paused.purpose,
    isRailHeld: wanted.isRailHeld === true || paused.rail.includes(rail),
    queuedOnly: wanted.queuedOnly,
    limit,
    asksFirstSince: timestampOrNull(wanted.asksFirstSince),
    restoredAt: timestampOrNull(wanted.restoredAt),
    process: witness?.process ?? null,
    reported: witnessRows(witness ?? { reported: [] }),
    heldBefore: timestampOrNull(wanted.heldBefore ?? null),
  });
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
    wasFinal: row.was_final,
    entries: row.entries,
    stage: row.stage,
    stageSince: row.stage_since,
    dueAt: leaseUntil,
    leaseUntil,
    fence: row.fence,
    attempts: row.attempts,
    asks: row.asks,
    note: row.note,
    heldBecause: row.held_because,
    paidBy: row.paid_by,
    askedAt: row.asked_at,
    approveBy: row.approve_by,
    isBegun: row.begins,
    reference: row.reference,
    sendUntil: row.send_until,
  };
}
