/** PayoutJobStore over PostgreSQL. A claim is one statement; attempts and postponements travel in batches. */
import type { PayoutStage } from '../domain/payouts/payout.ts';
import type { ClaimedPayout, NewAttempt, PayoutJobStore, Postponement } from '../domain/payouts/payout-job-store.ts';
import { type Clock, MINUTE_MS } from '../foundation/clock.ts';
import { type Database, timestamp } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import {
  keyFromRow,
  keyText,
  PAYOUT_COLUMNS,
  type PayoutKeyRow,
  type PayoutRow,
  payoutFromRow,
} from './payout-rows.ts';

interface ClaimedRow extends PayoutRow {
  stage: PayoutStage;
  stage_since: number;
  fence: number;
  attempts: number;
  asks: number;
  note: string;
  reference: string | null;
  send_until: number | null;
  master_key_id: string | null;
  wrapped_key: Buffer;
  ciphertext: Buffer;
}

/** One process at a time claims for a rail: two would take the same rows in turn, or deadlock over them. */
const CLAIM = `
with gate as materialized (select pg_try_advisory_xact_lock(hashtextextended('claim/' || $1, 1)) as open),
due as (
  select merchant_id, payout_id from payout_jobs
  where rail = $1 and due_at <= $2 and (select open from gate) order by due_at limit $4)
update payout_jobs as j set due_at = $3, fence = j.fence + 1 from due
where j.merchant_id = due.merchant_id and j.payout_id = due.payout_id and j.due_at <= $2
returning j.merchant_id, j.payout_id`;

const READ_CLAIMED = `
select ${PAYOUT_COLUMNS}, j.stage, j.stage_since, j.fence, j.attempts, j.asks, j.note,
  a.reference, a.send_until, v.master_key_id, v.wrapped_key, v.ciphertext
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)
join payout_jobs as j using (merchant_id, payout_id)
left join payout_attempts as a on a.merchant_id = j.merchant_id and a.payout_id = j.payout_id and a.attempt = j.attempts
left join vault_records as v on v.merchant_id = p.merchant_id and v.token = p.vault_token
where j.due_at = $3`;

const BEGIN_ATTEMPTS = `
with begun as (
  select * from json_to_recordset($1) as r(merchant_id text, payout_id text, fence integer, rail text, reference text,
    started_at timestamptz, send_until timestamptz, in_directory boolean)),
held as (
  update payout_jobs as j set stage = 'sending', stage_since = b.started_at, attempts = j.attempts + 1, asks = 0, note = ''
  from begun as b where j.merchant_id = b.merchant_id and j.payout_id = b.payout_id and j.fence = b.fence
  returning j.merchant_id, j.payout_id, j.attempts),
recorded as (
  insert into payout_attempts (merchant_id, payout_id, attempt, rail, reference, started_at, send_until)
  select merchant_id, payout_id, attempts, rail, reference, started_at, send_until
  from begun join held using (merchant_id, payout_id)),
listed as (
  insert into rail_references (rail, reference, merchant_id, payout_id)
  select rail, reference, merchant_id, payout_id from begun join held using (merchant_id, payout_id) where in_directory
  on conflict do nothing)
select merchant_id, payout_id from held`;

const POSTPONE = `
with put_off as (
  select * from json_to_recordset($1) as r(merchant_id text, payout_id text, fence integer, attempts integer, at timestamptz,
    due_at timestamptz, stage text, asks integer, note text, attempt_outcome text)),
held as (
  update payout_jobs as j set due_at = p.due_at, stage = p.stage, asks = p.asks, note = p.note,
    stage_since = case when j.stage = p.stage then j.stage_since else p.at end
  from put_off as p where j.merchant_id = p.merchant_id and j.payout_id = p.payout_id and j.fence = p.fence
  returning j.merchant_id, j.payout_id)
update payout_attempts as a set finished_at = p.at, outcome = p.attempt_outcome, detail = p.note
from put_off as p join held using (merchant_id, payout_id)
where p.attempt_outcome is not null
  and a.merchant_id = p.merchant_id and a.payout_id = p.payout_id and a.attempt = p.attempts`;

const MAX_BATCH = 256;

export function createPayoutJobStore(database: Database, clock: Clock): PayoutJobStore {
  const postponing = createGroupCommit<Postponement, undefined>({
    flush: async (items) => {
      await database.prepared('postpone-payouts', POSTPONE, [JSON.stringify(items.map(postponementRow))]);
      return items.map(() => undefined);
    },
    clock,
    maxBatch: MAX_BATCH,
    maxQueued: Number.POSITIVE_INFINITY, // bounded by how many payouts a worker holds
    patienceMs: MINUTE_MS,
  });
  return {
    claim: (rail, now, leaseUntil, limit) => claim(database, rail, now, leaseUntil, limit),
    beginAttempts: (attempts) => beginAttempts(database, attempts),
    postpone: (postponement) => postponing.submit(postponement),
    drain: () => postponing.drain(),
  };
}

async function claim(
  database: Database,
  rail: string,
  now: number,
  leaseUntil: number,
  limit: number,
): Promise<ClaimedPayout[]> {
  const keys = await database.prepared<PayoutKeyRow>('claim-payouts', CLAIM, [
    rail,
    timestamp(now),
    timestamp(leaseUntil),
    limit,
  ]);
  if (keys.length === 0) return [];
  const rows = await database.prepared<ClaimedRow>('read-claimed-payouts', READ_CLAIMED, [
    keys.map((key) => key.merchant_id),
    keys.map((key) => key.payout_id),
    timestamp(leaseUntil),
  ]);
  return rows.map((row) => claimedFromRow(row, leaseUntil));
}

function claimedFromRow(row: ClaimedRow, leaseUntil: number): ClaimedPayout {
  const { merchant_id: merchantId, vault_token: token, master_key_id: masterKeyId } = row;
  return {
    payout: payoutFromRow(row),
    vaultRecord:
      token !== null && masterKeyId !== null
        ? { merchantId, token, sealed: { masterKeyId, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext } }
        : null,
    stage: row.stage,
    stageSince: row.stage_since,
    dueAt: leaseUntil,
    leaseUntil,
    fence: row.fence,
    attempts: row.attempts,
    asks: row.asks,
    note: row.note,
    reference: row.reference,
    sendUntil: row.send_until,
  };
}

async function beginAttempts(database: Database, attempts: readonly NewAttempt[]): Promise<boolean[]> {
  const rows = attempts.map(({ claim: { payout, fence }, reference, startedAt, sendUntil, inDirectory }) => ({
    merchant_id: payout.merchantId,
    payout_id: payout.payoutId,
    fence,
    rail: payout.rail,
    reference,
    started_at: timestamp(startedAt),
    send_until: timestamp(sendUntil),
    in_directory: inDirectory,
  }));
  const held = await database.prepared<PayoutKeyRow>('begin-attempts', BEGIN_ATTEMPTS, [JSON.stringify(rows)]);
  const keys = new Set(held.map((row) => keyText(keyFromRow(row))));
  return attempts.map(({ claim: { payout } }) => keys.has(keyText(payout)));
}

function postponementRow({ claim: { payout, fence, attempts }, ...to }: Postponement): Record<string, unknown> {
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
  };
}
