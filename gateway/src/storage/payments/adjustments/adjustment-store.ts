/**
 * Implements AdjustmentStore over PostgreSQL, with one commit per report. It locks all merchants that have money of the
 * payment, then reads the rest of each receipt. So a refund and a chargeback, for example, never take the same money.
 */
import { COUNTERPARTS, type DepositAdjustment, REVERSALS } from '../../../domain/deposits/deposit-adjustment.ts';
import type {
  AdjustmentFacts,
  AdjustmentKey,
  AdjustmentOutcome,
  AdjustmentPlan,
  AdjustmentRequest,
  AdjustmentStore,
  ReceiptBalance,
  ReceiptPlace,
  RestOutcome,
  RestRequest,
} from '../../../domain/payments/adjustments/adjustment-store.ts';
import type { AttemptKey, PaymentAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import { receiptsOf } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { ofReachable, sweep, textsOf } from '../../cluster/across-servers.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { timestamp } from '../../core/parameters.ts';
import { type DepositBatch, openDepositBatch } from '../../deposits/deposit-batch.ts';
import { leftOf, type ReceiptRow, readReceipts } from '../../deposits/receipt-balances.ts';
import { findAttempt } from '../payment-store.ts';
import { acceptRefund, readRefundFacts } from './accept-refund.ts';
import { isDecided, reportExcess, resolveRest } from './adjustment-differences.ts';
import { ADJUSTMENT_COLUMNS, type AdjustmentRow, adjustmentFromRow } from './adjustment-rows.ts';

export function createAdjustmentStore(database: Database): AdjustmentStore {
  return {
    findPlaces: (payment) => findPlaces(database, payment),
    record: (request) => recordAdjustment(database, request),
    findShort: (after, limit) => findShort(database, after, limit),
    postRest: (request) => postRest(database, request),
    refundFacts: (deposit) => readRefundFacts(database, deposit),
    refund: (request) => acceptRefund(database, request),
  };
}

async function findPlaces(database: Database, payment: AttemptKey): Promise<ReceiptPlace[]> {
  const attempt = await findAttempt(database, payment);
  return attempt ? (await readReceipts(database, attempt)).map(placeOf) : [];
}

function placeOf({ merchant_id: merchantId, transaction_id, currency }: ReceiptRow): ReceiptPlace {
  return { merchantId, transactionId: Number(transaction_id), currency };
}

function recordAdjustment(database: Database, request: AdjustmentRequest): Promise<AdjustmentOutcome> {
  return database.transaction(async (transaction) => {
    const opened = await openFacts(transaction, request, request.places);
    if (!opened) return { kind: 'moved' };
    const { facts, batch, adjustment } = opened;
    const { deposit } = facts;
    if (adjustment) return { kind: 'known', adjustment, deposit };
    const plan = request.plan(facts);
    await insertAdjustment(transaction, plan);
    await write(transaction, batch, plan, request.at);
    await reportExcess(transaction, facts, plan);
    return { kind: 'recorded', plan, deposit };
  });
}

function postRest(database: Database, request: RestRequest): Promise<RestOutcome> {
  return database.transaction(async (transaction) => {
    const opened = await openFacts(transaction, request, request.places);
    if (!opened) return { kind: 'moved' };
    const { adjustment, facts, batch } = opened;
    invariant(adjustment, 'adjustment not found under its lock');
    const plan = request.plan({ ...facts, adjustment });
    if (!plan || (await isDecided(transaction, facts, adjustment))) return { kind: 'unchanged' };
    await transaction.query(
      `update deposit_adjustments set posted = $6, by_receipt = by_receipt + $7
       where merchant_id = $1 and transaction_id = $2 and attempt = $3 and kind = $4 and key = $5`,
      [...idOf(request), plan.adjustment.posted, takenBy(plan)],
    );
    await write(transaction, batch, plan, request.at);
    await resolveRest(transaction, facts, plan.adjustment, request.at);
    return { kind: 'covered' };
  });
}

async function write(transaction: Queryable, batch: DepositBatch, plan: AdjustmentPlan, at: Instant): Promise<void> {
  for (const { key, plan: planned } of plan.consequences) {
    const locked = batch.locked(key);
    invariant(locked, 'the deposit of an adjustment was not read');
    batch.add(locked, planned, at);
  }
  await insertTakings(transaction, plan);
  await batch.write();
}

/** Locks the merchants and reads the facts for a plan. Returns undefined if the money has since moved to other merchants. */
async function openFacts(transaction: Queryable, key: AdjustmentKey, places: readonly ReceiptPlace[]) {
  const batch = await openDepositBatch(transaction, [{ ...key, currency: undefined }, ...places]);
  const locked = batch.locked(key);
  const attempt = await findAttempt(transaction, key);
  invariant(locked && attempt, 'the payment of an adjustment does not exist');
  const rows = await readReceipts(transaction, attempt);
  if (!rows.every((row) => places.some((place) => isSamePlace(place, placeOf(row))))) return undefined;
  const reported = await readAdjustments(transaction, key);
  const find = (kind: string | null) => reported.find((each) => each.kind === kind);
  const facts: AdjustmentFacts = {
    deposit: locked.deposit,
    attempt,
    receipts: rows.map((row) => receiptOf(row, attempt, batch)),
    balances: batch.book.balances,
    counterpart: find(COUNTERPARTS[key.kind]),
    taken: await readTaken(transaction, key, rows),
  };
  return { batch, facts, adjustment: find(key.kind) };
}

function isSamePlace(one: ReceiptPlace, other: ReceiptPlace): boolean {
  const isSameDeposit = one.merchantId === other.merchantId && one.transactionId === other.transactionId;
  return isSameDeposit && one.currency === other.currency;
}

const ACCOUNTS: Readonly<Record<string, ReceiptBalance['account']>> = {
  credited: 'available',
  held: 'suspense',
  taken_back: 'suspense',
};

function receiptOf(row: ReceiptRow, attempt: PaymentAttempt, batch: DepositBatch): ReceiptBalance {
  const { rail, transfer_key: transferKey, currency, amount: brought } = row;
  const locked = batch.locked(placeOf(row));
  invariant(locked, 'the deposit of a receipt was not read');
  const receiptKey = receiptsOf(attempt).find((each) => each.transferKey === transferKey)?.receiptKey ?? '';
  const account = ACCOUNTS[row.status] ?? null;
  const left = account === null ? 0n : leftOf(row);
  return { rail, transferKey, receiptKey, currency, deposit: locked.deposit, account, brought, left };
}

/** Reads all adjustments with this key: one and its reversal. */
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

/**
 * Reads the amounts that the adjustment and its counterpart took from each receipt, at the merchants that had it. A provider
 * may use one key for reports of several kinds.
 */
async function readTaken(
  transaction: Queryable,
  { merchantId, transactionId, attempt, kind: reported, key }: AdjustmentKey,
  receipts: readonly ReceiptRow[],
): Promise<ReadonlyMap<string, bigint>> {
  const merchants = [...new Set([merchantId, ...receipts.map((row) => row.merchant_id)])];
  const rows = await transaction.query<{ transfer_key: string; kind: DepositAdjustment['kind']; amount: bigint }>(
    `select transfer_key, kind, amount from receipt_takings
     where merchant_id = any($1::text[]) and transaction_id = $2 and attempt = $3 and key = $4 and kind = any($5::text[])`,
    [merchants, transactionId, attempt, key, [reported, COUNTERPARTS[reported]]],
  );
  const taken = new Map<string, bigint>();
  for (const { transfer_key, kind, amount } of rows)
    taken.set(transfer_key, (taken.get(transfer_key) ?? 0n) + (REVERSALS.has(kind) ? -amount : amount));
  return taken;
}

async function insertAdjustment(transaction: Queryable, plan: AdjustmentPlan): Promise<void> {
  const [first] = plan.consequences;
  invariant(first, 'adjustment has no outcome for its own deposit');
  const { adjustment } = plan;
  const { money, posted, receiptKey, at, detail } = adjustment;
  await transaction.query(
    `insert into deposit_adjustments (merchant_id, transaction_id, attempt, kind, key, currency, amount, posted, by_receipt, receipt_key,
       at, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...idOf({ ...adjustment, merchantId: first.key.merchantId }),
      money.currency,
      money.minor,
      posted,
      takenBy(plan),
      receiptKey,
      timestamp(at),
      detail,
    ],
  );
}

async function insertTakings(
  transaction: Queryable,
  { adjustment: { transactionId, attempt, kind, key }, takings, part, consequences }: AdjustmentPlan,
): Promise<void> {
  if (takings.length === 0) return;
  const at = consequences[0]?.plan.history?.at;
  const rows = takings.map(({ receipt: { deposit, transferKey, rail }, account, amount }) => ({
    merchant_id: deposit.merchantId,
    transaction_id: transactionId,
    attempt,
    kind,
    key,
    part,
    transfer_key: transferKey,
    rail,
    account,
    amount: amount.toString(),
    at: at === undefined ? null : timestamp(at),
  }));
  await transaction.query(
    `insert into receipt_takings (merchant_id, transaction_id, attempt, kind, key, part, transfer_key, rail, account, amount, at)
     select merchant_id, transaction_id, attempt, kind, key, part, transfer_key, rail, account, amount, at
     from json_to_recordset($1) as r(merchant_id text, transaction_id bigint, attempt smallint, kind text, key text, part text,
       transfer_key text, rail text, account text, amount bigint, at timestamptz)`,
    [JSON.stringify(rows)],
  );
  await overtakeReturns(transaction, rows);
}

/** The held money can no longer pay a failed return of a different amount if its bank executes it late. */
async function overtakeReturns(
  transaction: Queryable,
  rows: readonly { readonly merchant_id: string; readonly account: string }[],
): Promise<void> {
  const held = rows.filter(({ account }) => account === 'suspense');
  if (held.length === 0) return;
  await transaction.query(
    `update incoming_transfers as t set is_return_overtaken = true
     from json_to_recordset($1) as r(merchant_id text, transfer_key text, rail text)
     where t.merchant_id = r.merchant_id and t.rail = r.rail and t.transfer_key = r.transfer_key and t.return_id is not null`,
    [JSON.stringify(held)],
  );
}

function takenBy({ takings }: AdjustmentPlan): bigint {
  return takings.reduce((sum, { amount }) => sum + amount, 0n);
}

function idOf({ merchantId, transactionId, attempt, kind, key }: AdjustmentKey) {
  return [merchantId, transactionId, attempt, kind, key];
}

const SHORT = textsOf(
  (servers) => `select j.merchant_id, ${ADJUSTMENT_COLUMNS}
     from deposit_adjustments as j
     left join deposit_adjustments as u on u.merchant_id = j.merchant_id and u.transaction_id = j.transaction_id
       and u.attempt = j.attempt and u.key = j.key and u.currency = j.currency${ofReachable(servers, 'u', '$7')}
       and u.kind = case j.kind when 'refunded' then 'refund_undone' when 'refund_undone' then 'refunded'
         when 'charged_back' then 'chargeback_undone' when 'chargeback_undone' then 'charged_back' end
     where j.posted < j.amount${ofReachable(servers, 'j', '$7')} and case when j.kind in ('refund_undone', 'chargeback_undone')
         then u.posted - greatest(u.amount - j.amount, 0) - j.posted
         else j.amount - coalesce(u.amount, 0) - (j.posted - coalesce(u.posted, 0)) end > 0
       and ($1::text is null or (j.merchant_id, j.transaction_id, j.attempt, j.kind, j.key) > ($1, $2::bigint, $3::smallint, $4, $5))
     order by j.merchant_id, j.transaction_id, j.attempt, j.kind, j.key limit $6`,
);

/** Finds the counterpart of each unfunded adjustment by its key. The plan decides whether the rest can be moved now. */
async function findShort(database: Database, after: AdjustmentKey | null, limit: number): Promise<AdjustmentKey[]> {
  const rows = await sweep<AdjustmentRow & { merchant_id: string }>(database, SHORT, [
    ...(after ? idOf(after) : [null, null, null, null, null]),
    limit,
  ]);
  return rows.map(({ merchant_id: merchantId, transaction_id, attempt, kind, key }) => {
    return { merchantId, transactionId: Number(transaction_id), attempt, kind, key };
  });
}
