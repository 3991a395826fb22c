/**
 * The commit by which a payer's try begins, before its provider is told: under the merchant's lock the session becomes a
 * deposit if it is none yet, and the attempt is added if no other is under way.
 */
import type { Deposit } from '../domain/deposits/deposit.ts';
import { isUnderWay, type PaymentAttempt } from '../domain/payments/payment-attempt.ts';
import type { AttemptRequest, BeginOutcome } from '../domain/payments/payment-store.ts';
import { invariant } from '../foundation/invariant.ts';
import { type Database, type Queryable, timestamp, timestampOrNull } from './database.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow, newDepositRow } from './deposit-rows.ts';
import { lockMerchants } from './ledger-posting.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow } from './payment-rows.ts';

const OPEN = `
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

export function beginAttempt(database: Database, request: AttemptRequest): Promise<BeginOutcome> {
  return database.transaction(async (transaction) => {
    await lockMerchants(transaction, [request.session.merchantId]);
    const deposit = await depositOf(transaction, request);
    if (!('transactionId' in deposit)) return deposit;
    // What ends it comes a while after its time, so that it meets no attempt that has just begun.
    const isOver = deposit.finishedAt !== null || deposit.expiresAt <= request.attempt.startedAt;
    if (isOver) return { kind: 'ended', deposit };
    const attempts = await readAttempts(transaction, deposit);
    const underWay = attempts.find(isUnderWay);
    if (underWay) return { kind: 'under_way', attempt: underWay };
    if (attempts.length >= request.mostAttempts) return { kind: 'too_many_attempts' };
    const attempt = await insertAttempt(transaction, deposit, request, attempts.length + 1);
    const { rail, paymentType } = request.attempt;
    return { kind: 'begun', deposit: { ...deposit, rail, paymentType }, attempt };
  });
}

/** The session's deposit, made now where it has none, or why it can't be. */
async function depositOf(
  transaction: Queryable,
  { session, deposit }: AttemptRequest,
): Promise<Deposit | Extract<BeginOutcome, { kind: 'no_session' | 'order_taken' }>> {
  const { merchantId, sessionId } = session;
  const [row] = await transaction.query<{ transaction_id: bigint | null }>(
    'select transaction_id from form_sessions where merchant_id = $1 and session_id = $2',
    [merchantId, sessionId],
  );
  if (!row) return { kind: 'no_session' };
  if (row.transaction_id !== null) return readDeposit(transaction, merchantId, Number(row.transaction_id));
  if (!(await takeOrder(transaction, deposit))) return { kind: 'order_taken' };
  await transaction.query(OPEN, [JSON.stringify(newDepositRow(deposit))]);
  await transaction.query('update form_sessions set transaction_id = $3 where merchant_id = $1 and session_id = $2', [
    merchantId,
    sessionId,
    deposit.transactionId,
  ]);
  return deposit;
}

/** An order whose deposit failed may be tried again on the form (decisions, States: form sessions). */
async function takeOrder(transaction: Queryable, { merchantId, orderId, transactionId }: Deposit): Promise<boolean> {
  const rows = await transaction.query(
    `insert into deposit_orders as o (merchant_id, order_id, transaction_id) values ($1, $2, $3)
     on conflict (merchant_id, order_id) do update set transaction_id = excluded.transaction_id
     where exists (
       select from deposits as d
       where d.merchant_id = o.merchant_id and d.transaction_id = o.transaction_id and d.state = 'fail')
     returning o.transaction_id`,
    [merchantId, orderId, transactionId],
  );
  return rows.length === 1;
}

async function readDeposit(transaction: Queryable, merchantId: string, transactionId: number): Promise<Deposit> {
  const [row] = await transaction.query<DepositRow>(
    `select ${DEPOSIT_COLUMNS} from deposits as d where d.merchant_id = $1 and d.transaction_id = $2`,
    [merchantId, transactionId],
  );
  invariant(row, 'a form session names a deposit that does not exist');
  return depositFromRow(row);
}

export async function readAttempts(
  queryable: Queryable,
  { merchantId, transactionId }: Pick<Deposit, 'merchantId' | 'transactionId'>,
): Promise<PaymentAttempt[]> {
  const rows = await queryable.query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from payment_attempts as a
     where a.merchant_id = $1 and a.transaction_id = $2 order by a.attempt`,
    [merchantId, transactionId],
  );
  return rows.map(attemptFromRow);
}

/** Fees and limits go by how the payer pays in the end, so the deposit is of the kind of its latest attempt. */
async function insertAttempt(
  transaction: Queryable,
  { merchantId, transactionId }: Deposit,
  { attempt }: AttemptRequest,
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
  invariant(row, 'an attempt was not written');
  return attemptFromRow(row);
}
