/**
 * The commit that begins a payer's attempt, before the provider receives it. Under the merchant's lock it makes a deposit of a
 * session that has none. It adds the attempt if no other is in flight and no attempt limit is reached.
 */
import type { Deposit } from '../../../domain/deposits/deposit.ts';
import {
  type CountedAttempt,
  LIMIT_SUBJECTS,
  LIMIT_WINDOW_MS,
  type LimitSubject,
} from '../../../domain/payments/attempts/attempt-limits.ts';
import type { AttemptCard, AttemptKey, PaymentAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { FormSession } from '../../../domain/payments/form-session.ts';
import type { AttemptRequest, BeginOutcome, OrderHolder } from '../../../domain/payments/payment-store.ts';
import { FIRST_LOOK_MS } from '../../../domain/payments/send-receipt-emails.ts';
import { decideOrder, rejectAttempt } from '../../../domain/payments/sessions/order-claim.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { STEP_BY_STEP } from '../../core/cluster-text.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { timestamp, timestampOrNull } from '../../core/parameters.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow, readAttempts } from '../../deposits/attempt-rows.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow, newDepositRow } from '../../deposits/deposit-rows.ts';
import { findOrderHolder, freeOrder } from '../../deposits/order-holder.ts';
import { lockMerchants } from '../../ledger/ledger-posting.ts';
import { keepReceiptAddress } from '../receipt-email-store.ts';

const OPEN = `${STEP_BY_STEP}
with fresh as (
  select * from json_to_record($1) as r(
    merchant_id text, transaction_id bigint, uuid uuid, order_id text, payment_type text, currency text, amount bigint,
    amount_text text, payer jsonb, rail text, pay_to text, beneficiary text, created_at timestamptz, expires_at timestamptz,
    closes_at timestamptz)),
recorded as (
  insert into deposit_history (merchant_id, transaction_id, entry, at, event, to_state, actor)
  select merchant_id, transaction_id, 1, created_at, 'opened', 'pending', 'payer' from fresh)
insert into deposits (merchant_id, transaction_id, uuid, order_id, payment_type, currency, amount, amount_text, payer, rail,
  pay_to, beneficiary, state, created_at, expires_at, closes_at)
select merchant_id, transaction_id, uuid, order_id, payment_type, currency, amount, amount_text, payer, rail,
  pay_to, beneficiary, 'pending', created_at, expires_at, closes_at from fresh`;

const INSERT_ATTEMPT = `
insert into payment_attempts as a (merchant_id, transaction_id, attempt, rail, payment_type, reference, state, started_at,
  send_until, ask_at)
values ($1, $2, $3, $4, $5, $6, 'starting', $7, $8, $9) returning ${ATTEMPT_COLUMNS}`;

/** Safe to run again: the attempt's reference finds an attempt that an earlier run committed. */
export function beginAttempt(database: Database, request: AttemptRequest): Promise<BeginOutcome> {
  return database.transaction(async (transaction) => {
    const { merchantId } = request.session;
    await lockMerchants(transaction, [merchantId]);
    const found = await findDeposit(transaction, request);
    if (!('existing' in found)) return found;
    const { existing, inTheWay } = found;
    const attempts = existing ? await readAttempts(transaction, existing) : [];
    const begun = attempts.find(({ reference }) => reference === request.attempt.reference);
    if (existing && begun) return { kind: 'begun', deposit: existing, attempt: begun, displaced: null };
    const refusal =
      (existing && rejectAttempt(existing, attempts, request)) ??
      (await rejectUsedToken(transaction, request)) ??
      (await rejectByLimits(transaction, request));
    if (refusal) return refusal;
    const displaced = inTheWay && (await freeOrder(transaction, inTheWay, request, request.attempt.startedAt));
    const deposit = existing ?? (await openDeposit(transaction, request));
    if (!deposit) return { kind: 'order_in_use' };
    const attempt = await insertAttempt(transaction, deposit, request, attempts.length + 1);
    const { rail, paymentType } = request.attempt;
    return { kind: 'begun', deposit: { ...deposit, rail, paymentType }, attempt, displaced };
  });
}

/** The deposit that the payer continues, or the holder of the order that must be displaced for a new deposit. */
interface FoundDeposit {
  readonly existing: Deposit | null;
  readonly inTheWay: OrderHolder | null;
}

async function findDeposit(
  transaction: Queryable,
  { session, attempt }: AttemptRequest,
): Promise<FoundDeposit | Extract<BeginOutcome, { kind: 'no_session' | 'order_paid' | 'order_in_use' }>> {
  const { merchantId, sessionId, orderId } = session;
  const [row] = await transaction.query<{ transaction_id: bigint | null }>(
    'select transaction_id from form_sessions where merchant_id = $1 and session_id = $2',
    [merchantId, sessionId],
  );
  if (!row) return { kind: 'no_session' };
  if (row.transaction_id !== null) {
    return { existing: await readDeposit(transaction, merchantId, Number(row.transaction_id)), inTheWay: null };
  }
  const holder = await findOrderHolder(transaction, { merchantId, orderId });
  const decision = holder && decideOrder(holder, { by: 'form', at: attempt.startedAt, ...session });
  if (decision === 'kept') return { kind: holder?.deposit.state === 'success' ? 'order_paid' : 'order_in_use' };
  if (!holder || decision !== 'joined') return { existing: null, inTheWay: holder };
  await linkSession(transaction, session, holder.deposit);
  return { existing: holder.deposit, inTheWay: null };
}

async function linkSession(
  transaction: Queryable,
  { merchantId, sessionId }: FormSession,
  { transactionId }: Deposit,
): Promise<void> {
  await transaction.query('update form_sessions set transaction_id = $3 where merchant_id = $1 and session_id = $2', [
    merchantId,
    sessionId,
    transactionId,
  ]);
}

/** Under the merchant's lock, so two attempts cannot use one token. */
async function rejectUsedToken(
  transaction: Queryable,
  { session, wallet }: AttemptRequest,
): Promise<BeginOutcome | null> {
  if (wallet === null) return null;
  const used = await transaction.prepared(
    'find-wallet-token',
    'select from payment_wallets where merchant_id = $1 and token_hash = $2',
    [session.merchantId, wallet.tokenHash],
  );
  return used.length > 0 ? { kind: 'token_used' } : null;
}

/** Runs before the session becomes a deposit, so that a rejected attempt leaves no trace in the merchant's books. */
async function rejectByLimits(
  transaction: Queryable,
  { session, counted, attempt }: AttemptRequest,
): Promise<BeginOutcome | null> {
  const subject = await findReachedLimit(transaction, session.merchantId, counted, attempt.startedAt);
  return subject ? { kind: 'attempt_limit', subject } : null;
}

/** Resolves to null if a different deposit has the order. */
async function openDeposit(transaction: Queryable, { session, deposit }: AttemptRequest): Promise<Deposit | null> {
  const { merchantId, orderId, transactionId } = deposit;
  const taken = await transaction.query(
    `insert into deposit_orders (merchant_id, order_id, transaction_id, is_signed, visitor_hash) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, order_id) do nothing returning transaction_id`,
    [merchantId, orderId, transactionId, session.isSigned, session.visitorHash],
  );
  if (taken.length === 0) return null;
  await transaction.query(OPEN, [JSON.stringify(newDepositRow(deposit))]);
  await linkSession(transaction, session, deposit);
  return deposit;
}

async function readDeposit(transaction: Queryable, merchantId: string, transactionId: number): Promise<Deposit> {
  const [row] = await transaction.query<DepositRow>(
    `select ${DEPOSIT_COLUMNS} from deposits as d where d.merchant_id = $1 and d.transaction_id = $2`,
    [merchantId, transactionId],
  );
  invariant(row, 'the deposit of a form session does not exist');
  return depositFromRow(row);
}

/** Fees and limits follow the payment type that the payer finally uses. So the deposit takes the type of its latest attempt. */
async function insertAttempt(
  transaction: Queryable,
  { merchantId, transactionId }: Deposit,
  { attempt, card, wallet, counted, receiptTo }: AttemptRequest,
  number: number,
): Promise<PaymentAttempt> {
  const { rail, paymentType, reference, startedAt, sendUntil, askAt } = attempt;
  await transaction.query(
    `update deposits set rail = $3, payment_type = $4 where merchant_id = $1 and transaction_id = $2`,
    [merchantId, transactionId, rail, paymentType],
  );
  await transaction.query(
    'insert into payment_references (rail, reference, merchant_id, transaction_id, attempt) values ($1, $2, $3, $4, $5)',
    [rail, reference, merchantId, transactionId, number],
  );
  const times = [timestamp(startedAt), timestamp(sendUntil), timestampOrNull(askAt)];
  const [row] = await transaction.query<AttemptRow>(INSERT_ATTEMPT, [
    merchantId,
    transactionId,
    number,
    rail,
    paymentType,
    reference,
    ...times,
  ]);
  invariant(row, 'insert of an attempt returned no row');
  const key = { merchantId, transactionId, attempt: number };
  await insertCountedAttempt(transaction, key, counted, startedAt);
  if (card) await insertCard(transaction, key, card, startedAt);
  if (wallet)
    await transaction.prepared(
      'insert-attempt-wallet',
      'insert into payment_wallets (merchant_id, transaction_id, attempt, wallet, token_hash) values ($1, $2, $3, $4, $5)',
      [merchantId, transactionId, number, wallet.wallet, wallet.tokenHash],
    );
  if (receiptTo) await keepReceiptAddress(transaction, key, receiptTo, startedAt + FIRST_LOOK_MS);
  return attemptFromRow(row);
}

/** The condition of each subject, with one partial index each. `merchant` covers every attempt on an unsigned form. */
const CONDITIONS: Readonly<Record<LimitSubject, string>> = {
  target: 'target_hash = $2',
  address: 'address_hash = $2',
  merchant: 'not is_signed and $2::bytea is null',
};

/** Returns the subject that has reached its attempt limit, or undefined. The caller must hold the merchant's lock. */
async function findReachedLimit(
  transaction: Queryable,
  merchantId: string,
  { hashes, isSigned, limits }: CountedAttempt,
  now: Instant,
): Promise<LimitSubject | undefined> {
  const isCounted = { target: hashes.target !== null, address: hashes.address !== null, merchant: !isSigned };
  for (const subject of LIMIT_SUBJECTS) {
    if (!isCounted[subject] || limits[subject] === 0) continue;
    const hash = subject === 'merchant' ? null : hashes[subject];
    if (await isLimitReached(transaction, merchantId, subject, hash, limits[subject], now)) return subject;
  }
  return undefined;
}

/** Reads at most `limit` entries of the index, however many attempts there were. */
async function isLimitReached(
  transaction: Queryable,
  merchantId: string,
  subject: LimitSubject,
  hash: Buffer | null,
  limit: number,
  now: Instant,
): Promise<boolean> {
  const rows = await transaction.prepared(
    `count-attempts-by-${subject}`,
    `select from counted_attempts where merchant_id = $1 and ${CONDITIONS[subject]} and attempted_at > $3
     order by attempted_at desc offset $4 limit 1`,
    [merchantId, hash, timestamp(now - LIMIT_WINDOW_MS), limit - 1],
  );
  return rows.length > 0;
}

async function insertCountedAttempt(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  { hashes, isSigned }: CountedAttempt,
  attemptedAt: Instant,
): Promise<void> {
  await transaction.prepared(
    'insert-counted-attempt',
    `insert into counted_attempts (merchant_id, transaction_id, attempt, target_hash, address_hash, is_signed, attempted_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [merchantId, transactionId, attempt, hashes.target, hashes.address, isSigned, timestamp(attemptedAt)],
  );
}

/** Stores the sealed card in the vault; destroyAttemptCard of storage/vault/destroy-records.ts deletes it. */
async function insertCard(
  transaction: Queryable,
  { merchantId, transactionId, attempt }: AttemptKey,
  { mask, vaultRecord, destroyAt }: AttemptCard,
  sealedAt: Instant,
): Promise<void> {
  const { token, sealed } = vaultRecord;
  await transaction.prepared(
    'insert-attempt-card',
    `${STEP_BY_STEP} with sealed as (
       insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at, destroy_at)
       values ($1, $5, $6, $7, $8, $9, $10))
     insert into payment_cards (merchant_id, transaction_id, attempt, mask, vault_token) values ($1, $2, $3, $4, $5)`,
    [
      merchantId,
      transactionId,
      attempt,
      mask,
      token,
      sealed.masterKeyId,
      sealed.wrappedKey,
      sealed.ciphertext,
      timestamp(sealedAt),
      timestamp(destroyAt),
    ],
  );
}
