/**
 * AdjustmentStore over PostgreSQL: each thing in a commit of its own. Under the merchant's lock it is read what is left of
 * the payment, so that no two of a refund, a chargeback and their like take the same money.
 */
import type { Deposit, DepositKey } from '../domain/deposits/deposit.ts';
import { COUNTERPARTS, type DepositAdjustment } from '../domain/deposits/deposit-adjustment.ts';
import type {
  AdjustmentFacts,
  AdjustmentKey,
  AdjustmentOutcome,
  AdjustmentRequest,
  AdjustmentStore,
  PaymentStanding,
  RefundPlan,
  RefundRefusal,
  RefundRequest,
  RestRequest,
} from '../domain/payments/adjustment-store.ts';
import type { AttemptKey } from '../domain/payments/payment-attempt.ts';
import { invariant } from '../foundation/invariant.ts';
import { fail, type Result } from '../foundation/result.ts';
import { acceptWithin } from './accept-payouts.ts';
import { ADJUSTMENT_COLUMNS, type AdjustmentRow, adjustmentFromRow } from './adjustment-rows.ts';
import { type Database, type Queryable, timestamp } from './database.ts';
import { openDepositBatch } from './deposit-batch.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptFromRow } from './payment-rows.ts';

export function createAdjustmentStore(database: Database): AdjustmentStore {
  return {
    record: (request) => recordAdjustment(database, request),
    findShort: (limit) => findShort(database, limit),
    postRest: (request) => postRest(database, request),
    refund: (request) => acceptRefund(database, request),
  };
}

function recordAdjustment(database: Database, request: AdjustmentRequest): Promise<AdjustmentOutcome> {
  return database.transaction(async (transaction) => {
    const opened = await openFacts(transaction, request);
    const { deposit } = opened.facts;
    if (opened.adjustment) return { kind: 'known', deposit };
    const plan = request.plan(opened.facts);
    await insertAdjustment(transaction, request, plan.adjustment);
    opened.batch.take(opened.standing, plan, request.at);
    await opened.batch.write();
    return { kind: 'recorded', plan, deposit };
  });
}

function postRest(database: Database, request: RestRequest): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const { adjustment, facts, batch, standing } = await openFacts(transaction, request);
    invariant(adjustment, 'an adjustment is gone');
    const plan = request.plan({ ...facts, adjustment });
    if (!plan) return false;
    await transaction.query(
      `update deposit_adjustments set posted = $6
       where merchant_id = $1 and transaction_id = $2 and attempt = $3 and kind = $4 and key = $5`,
      [...idOf(request), plan.adjustment.posted],
    );
    batch.take(standing, plan, request.at);
    await batch.write();
    return true;
  });
}

/** Locks the merchant, and reads what a plan is made of. */
async function openFacts(transaction: Queryable, key: AdjustmentKey) {
  const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }]);
  const standing = batch.standing(key);
  const [payment] = await readStandings(transaction, key, key.attempt);
  invariant(standing && payment, 'an adjustment of a payment that does not exist');
  const { deposit } = standing;
  const told = await readAdjustments(transaction, key);
  const find = (kind: string | null) => told.find((each) => each.kind === kind);
  const facts: AdjustmentFacts = {
    deposit,
    balances: batch.book.balances(deposit.merchantId, deposit.money.currency),
    payment,
    counterpart: find(COUNTERPARTS[key.kind]),
  };
  return { batch, standing, facts, adjustment: find(key.kind) };
}

/** Everything with this key; a thing and its undoing. */
async function readAdjustments(
  transaction: Queryable,
  { merchantId, transactionId, attempt, key }: AdjustmentKey,
): Promise<DepositAdjustment[]> {
  const rows = await transaction.query<AdjustmentRow>(
    `select ${ADJUSTMENT_COLUMNS} from deposit_adjustments as j
     where j.merchant_id = $1 and j.transaction_id = $2 and j.attempt = $3 and j.key = $4`,
    [merchantId, transactionId, attempt, key],
  );
  return rows.map(adjustmentFromRow);
}

interface StandingRow extends AttemptRow {
  credited: bigint;
  taken_back: bigint;
  refunded: bigint;
  refunds: number;
}

/** Of a deposit's payments, or of the one that is named, oldest first. */
async function readStandings(
  transaction: Queryable,
  { merchantId, transactionId }: DepositKey,
  attempt: AttemptKey['attempt'] | null,
): Promise<PaymentStanding[]> {
  const rows = await transaction.query<StandingRow>(
    `select ${ATTEMPT_COLUMNS}, s.credited, s.taken_back, s.refunded, (
       select count(*)::int from deposit_refunds as f
       where f.merchant_id = a.merchant_id and f.transaction_id = a.transaction_id and f.attempt = a.attempt) as refunds
     from payment_attempts as a join payment_standings as s using (merchant_id, transaction_id, attempt)
     where a.merchant_id = $1 and a.transaction_id = $2 and ($3::smallint is null or a.attempt = $3) order by a.attempt`,
    [merchantId, transactionId, attempt],
  );
  return rows.map((row) => {
    const { credited } = row;
    const left = credited - row.taken_back - row.refunded;
    return { attempt: attemptFromRow(row), credited, left: left > 0n ? left : 0n, refunds: row.refunds };
  });
}

async function insertAdjustment(
  transaction: Queryable,
  key: AdjustmentKey,
  { money, posted, at, detail }: DepositAdjustment,
): Promise<void> {
  await transaction.query(
    `insert into deposit_adjustments (merchant_id, transaction_id, attempt, kind, key, currency, amount, posted, at, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...idOf(key), money.currency, money.minor, posted, timestamp(at), detail],
  );
}

function idOf({ merchantId, transactionId, attempt, kind, key }: AdjustmentKey) {
  return [merchantId, transactionId, attempt, kind, key];
}

/**
 * What can't be taken yet is left out, or it would stand in the way of what can. What belongs to each that
 * is short is looked up by its key (`offset 0`), and nothing is worked out for any other payment.
 */
async function findShort(database: Database, limit: number): Promise<AdjustmentKey[]> {
  const rows = await database.query<AdjustmentRow & { merchant_id: string; transaction_id: bigint }>(
    `select j.merchant_id, j.transaction_id, ${ADJUSTMENT_COLUMNS}
     from deposit_adjustments as j
     cross join lateral (
       select d.currency from deposits as d
       where d.merchant_id = j.merchant_id and d.transaction_id = j.transaction_id offset 0) as d
     cross join lateral (
       select s.credited, s.taken_back, s.refunded from payment_standings as s
       where s.merchant_id = j.merchant_id and s.transaction_id = j.transaction_id and s.attempt = j.attempt offset 0) as s
     left join deposit_adjustments as u on u.merchant_id = j.merchant_id and u.transaction_id = j.transaction_id
       and u.attempt = j.attempt and u.key = j.key
       and u.kind = case j.kind when 'refunded' then 'refund_undone' when 'charged_back' then 'chargeback_undone' end
     cross join lateral (
       select j.amount - coalesce(u.amount, 0) - (j.posted - coalesce(u.posted, 0)) as rest) as r
     where j.posted < j.amount and j.kind in ('refunded', 'charged_back', 'debited') and j.currency = d.currency
       and r.rest > 0 and r.rest <= s.credited - s.taken_back - s.refunded
     order by j.at limit $1`,
    [limit],
  );
  return rows.map(({ merchant_id: merchantId, transaction_id, attempt, kind, key }) => {
    return { merchantId, transactionId: Number(transaction_id), attempt, kind, key };
  });
}

function acceptRefund(
  database: Database,
  { merchantId, transactionId, plan: planOf }: RefundRequest,
): Promise<Result<RefundPlan, RefundRefusal>> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, [{ merchantId, transactionId, currency: undefined }]);
    const standing = batch.standing({ merchantId, transactionId });
    if (!standing) return fail({ kind: 'deposit_not_found' });
    const { deposit } = standing;
    const balances = batch.book.balances(merchantId, deposit.money.currency);
    const all = await readStandings(transaction, deposit, null);
    const planned = planOf({ deposit, balances, payments: all.filter(({ credited }) => credited > 0n) });
    if (!planned.ok) return planned;
    const { attempt, payout, reason, note } = planned.value;
    await acceptWithin(transaction, payout, batch.book);
    await transaction.query(
      'insert into deposit_refunds (merchant_id, payout_id, transaction_id, attempt, reason) values ($1, $2, $3, $4, $5)',
      [merchantId, payout.payout.payoutId, transactionId, attempt, reason],
    );
    batch.take(standing, { change: null, journals: [], history: unchanging(deposit, note), callbacks: [] }, note.at);
    await batch.write();
    return planned;
  });
}

function unchanging<Note>({ state }: Deposit, note: Note) {
  return { ...note, fromState: state, toState: state };
}
