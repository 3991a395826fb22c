/** Implements PaymentStore over PostgreSQL. */
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { DepositPlan } from '../../domain/deposits/deposit-store.ts';
import type { AttemptKey, PaymentAttempt } from '../../domain/payments/attempts/payment-attempt.ts';
import type { AttemptChange } from '../../domain/payments/attempts/plan-attempt.ts';
import type { FormSession } from '../../domain/payments/form-session.ts';
import type {
  AttemptOutcome,
  AttemptSettlement,
  DueAttempt,
  PaymentEnd,
  PaymentStore,
  SessionRecord,
  SessionRetention,
} from '../../domain/payments/payment-store.ts';
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { lockKey } from '../core/advisory-locks.ts';
import { createDueRowCheck } from '../core/check-due-rows.ts';
import { type Database, persist, type Queryable, timestamp, timestampOrNull } from '../core/database.ts';
import { openDepositBatch, recordTransfers } from '../deposits/deposit-batch.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow, newTransferRow } from '../deposits/deposit-rows.ts';
import { findDeposit } from '../deposits/deposit-store.ts';
import { findOrderHolder } from '../deposits/order-holder.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  attemptFromRow,
  readAttempts,
  readRecordedAttempts,
  SESSION_COLUMNS,
  type SessionRow,
  sessionFromRow,
} from './attempts/attempt-rows.ts';
import { beginAttempt, destroyCard } from './begin-attempt.ts';

export function createPaymentStore(database: Database, clock: Clock): PaymentStore {
  const dueRowCheck = createDueRowCheck();
  return {
    openSession: (session, tokenHash) => persist(clock, () => openSession(database, session, tokenHash)),
    findOrder: (order) => findOrderHolder(database, order),
    findSession: (tokenHash) => findSession(database, tokenHash),
    begin: (request) => persist(clock, () => beginAttempt(database, request)),
    settle: (settlement) => persist(clock, () => settleAttempt(database, settlement)),
    end: (end) => persist(clock, () => endPayment(database, end)),
    destroySessions: (retention) => destroySessions(database, retention),
    claimDue: (rail, now, leaseUntil, limit) =>
      dueRowCheck(
        rail,
        () => isDue(database, rail, now),
        () => claimDue(database, rail, now, leaseUntil, limit),
      ),
    find: (key) => findAttempt(database, key),
    findDue: (key) => findDue(database, key),
    findByReference: (rail, reference) => findByReference(database, rail, reference),
  };
}

/** Safe to run again: the session's random id identifies it. */
async function openSession(database: Database, session: FormSession, tokenHash: Buffer): Promise<void> {
  await database.prepared(
    'open-form-session',
    `with opened as (
       insert into form_sessions (merchant_id, session_id, order_id, currency, amount, amount_text, is_signed,
         visitor_hash, language, payment_type, parameters, created_at, expires_at, token_hash, transaction_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (merchant_id, session_id) do nothing)
     insert into form_tokens (token_hash, merchant_id, session_id) values ($14, $1, $2) on conflict (token_hash) do nothing`,
    [
      session.merchantId,
      session.sessionId,
      session.orderId,
      session.money.currency,
      session.money.minor,
      session.amountText,
      session.isSigned,
      session.visitorHash,
      session.language,
      session.paymentType,
      JSON.stringify(session.parameters),
      timestamp(session.createdAt),
      timestamp(session.expiresAt),
      tokenHash,
      session.transactionId,
    ],
  );
}

async function destroySessions(
  database: Database,
  { unusedSince, usedSince, limit }: SessionRetention,
): Promise<number> {
  const destroyed = await database.prepared(
    'destroy-form-sessions',
    `with due as (
       (select merchant_id, session_id, token_hash from form_sessions
        where transaction_id is null and expires_at < $1 order by expires_at limit $3)
       union all
       (select merchant_id, session_id, token_hash from form_sessions
        where transaction_id is not null and expires_at < $2 order by expires_at limit $3)),
     unlisted as (delete from form_tokens as t using due where t.token_hash = due.token_hash)
     delete from form_sessions as s using due
     where s.merchant_id = due.merchant_id and s.session_id = due.session_id
     returning s.session_id`,
    [timestamp(unusedSince), timestamp(usedSince), limit],
  );
  return destroyed.length;
}

async function findSession(database: Database, tokenHash: Buffer): Promise<SessionRecord | undefined> {
  const [row] = await database.prepared<SessionRow>(
    'find-form-session',
    `with listed as materialized (select merchant_id, session_id from form_tokens where token_hash = $1)
     select ${SESSION_COLUMNS} from listed join form_sessions as s using (merchant_id, session_id)`,
    [tokenHash],
  );
  if (!row) return undefined;
  const session = sessionFromRow(row);
  const { merchantId, transactionId } = session;
  if (transactionId === null) return { session, deposit: null, attempts: [] };
  const key = { merchantId, transactionId };
  const [deposit, attempts] = await Promise.all([findDeposit(database, key), readRecordedAttempts(database, key)]);
  return { session, deposit: deposit ?? null, attempts };
}

/** Records the received money like a transfer, in the commit that ends the attempt. */
function settleAttempt(
  database: Database,
  { plans, at, ...key }: AttemptSettlement,
): Promise<readonly AttemptOutcome[]> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }]);
    const attempts = await readAttempts(transaction, key);
    const found = attempts.find((each) => each.attempt === key.attempt);
    const locked = batch.locked(key);
    if (!found || !locked) return plans.map(() => ({ kind: 'not_found' }));
    const others = attempts.filter((each) => each !== found);
    let attempt = found;
    const outcomes = plans.map((planOf): AttemptOutcome => {
      const { deposit } = locked;
      const balances = batch.book.balances(deposit.merchantId, deposit.money.currency);
      const plan = planOf({ deposit, attempt, others, balances });
      if (!plan) return { kind: 'unchanged' };
      attempt = { ...attempt, ...plan.change };
      if (plan.receipt) batch.add(locked, plan.receipt.plan, at);
      if (plan.end) batch.add(locked, plan.end, at);
      return { kind: 'settled', plan };
    });
    if (attempt === found) return outcomes;
    await writeChange(transaction, key, attempt);
    if (attempt.finishedAt !== null) await destroyCard(transaction, key);
    await writeReceipts(transaction, key, outcomes, at);
    await batch.write();
    return outcomes;
  });
}

async function writeReceipts(
  transaction: Queryable,
  key: AttemptKey,
  outcomes: readonly AttemptOutcome[],
  at: number,
): Promise<void> {
  const rows = outcomes.flatMap((outcome) => {
    const receipt = outcome.kind === 'settled' ? outcome.plan.receipt : null;
    if (!receipt) return [];
    const { transfer, foundBy, plan } = receipt;
    return [newTransferRow({ ...key, transfer, foundBy, recordedAt: at, card: null, plan: () => plan }, plan.transfer)];
  });
  if (rows.length > 0) await recordTransfers(transaction, rows);
}

function endPayment<Refusal extends string>(
  database: Database,
  { plan: planOf, at, ...key }: PaymentEnd<Refusal>,
): Promise<DepositPlan | Refusal> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }]);
    const locked = batch.locked(key);
    invariant(locked, 'the deposit of a payment does not exist');
    const plan = planOf({ deposit: locked.deposit, attempts: await readAttempts(transaction, key) });
    if (typeof plan === 'string') return plan;
    batch.add(locked, plan, at);
    await batch.write();
    return plan;
  });
}

async function writeChange(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  change: AttemptChange,
): Promise<void> {
  await transaction.prepared(
    'settle-attempt',
    `update payment_attempts set state = $4, step = $5, is_authorised = $6, refusal = $7, can_retry = $8, detail = $9,
       provider_reference = $10, kept = $11, receipts = $12, ask_at = $13, asks = $14, finished_at = $15,
       open_returns = $16
     where merchant_id = $1 and transaction_id = $2 and attempt = $3`,
    [
      merchantId,
      transactionId,
      attempt,
      change.state,
      change.step === null ? null : JSON.stringify(change.step),
      change.isAuthorised,
      change.refusal,
      change.canRetry,
      change.detail,
      change.providerReference,
      change.kept,
      change.receipts,
      timestampOrNull(change.askAt),
      change.asks,
      timestampOrNull(change.finishedAt),
      change.openReturns,
    ],
  );
}

async function isDue(database: Database, rail: string, now: number): Promise<boolean> {
  const due = await database.prepared(
    'is-attempt-due',
    'select 1 from payment_attempts where rail = $1 and ask_at <= $2 order by ask_at limit 1',
    [rail, timestamp(now)],
  );
  return due.length > 0;
}

async function claimDue(
  database: Database,
  rail: string,
  now: number,
  leaseUntil: number,
  limit: number,
): Promise<DueAttempt[]> {
  const claimed = await database.prepared<AttemptRow>(
    'claim-due-attempts',
    // One process at a time claims for a rail, as in claim-payouts.ts.
    `with turn as materialized (select pg_try_advisory_xact_lock(${lockKey('turn', "'ask/' || $1")}) as mine),
     due as (
       select merchant_id, transaction_id, attempt from payment_attempts
       where rail = $1 and ask_at <= $2 and (select mine from turn) order by ask_at limit $4)
     update payment_attempts as a set ask_at = $3 from due
     where a.merchant_id = due.merchant_id and a.transaction_id = due.transaction_id and a.attempt = due.attempt
       and a.ask_at <= $2
     returning ${ATTEMPT_COLUMNS}`,
    [rail, timestamp(now), timestamp(leaseUntil), limit],
  );
  if (claimed.length === 0) return [];
  const deposits = await readDeposits(database, claimed);
  return claimed.map((row) => {
    const deposit = deposits.get(`${row.merchant_id}/${row.transaction_id}`);
    invariant(deposit, 'the deposit of an attempt does not exist');
    return { attempt: attemptFromRow(row), deposit };
  });
}

async function readDeposits(database: Database, attempts: readonly AttemptRow[]): Promise<Map<string, Deposit>> {
  const rows = await database.prepared<DepositRow>(
    'read-deposits-of-attempts',
    `select ${DEPOSIT_COLUMNS} from unnest($1::text[], $2::bigint[]) as k(merchant_id, transaction_id)
     join deposits as d using (merchant_id, transaction_id)`,
    [attempts.map((row) => row.merchant_id), attempts.map((row) => row.transaction_id)],
  );
  return new Map(rows.map((row) => [`${row.merchant_id}/${row.transaction_id}`, depositFromRow(row)]));
}

export async function findAttempt(queryable: Queryable, key: AttemptKey): Promise<PaymentAttempt | undefined> {
  const [row] = await queryable.prepared<AttemptRow>(
    'find-attempt',
    `select ${ATTEMPT_COLUMNS} from payment_attempts as a
     where a.merchant_id = $1 and a.transaction_id = $2 and a.attempt = $3`,
    [key.merchantId, key.transactionId, key.attempt],
  );
  return row && attemptFromRow(row);
}

async function findDue(database: Database, key: AttemptKey): Promise<DueAttempt | undefined> {
  const [attempt, deposit] = await Promise.all([findAttempt(database, key), findDeposit(database, key)]);
  return attempt && deposit && { attempt, deposit };
}

async function findByReference(database: Database, rail: string, reference: string): Promise<AttemptKey | undefined> {
  const [row] = await database.prepared<{ merchant_id: string; transaction_id: bigint; attempt: number }>(
    'find-attempt-by-reference',
    'select merchant_id, transaction_id, attempt from payment_references where rail = $1 and reference = $2',
    [rail, reference],
  );
  return row && { merchantId: row.merchant_id, transactionId: Number(row.transaction_id), attempt: row.attempt };
}
