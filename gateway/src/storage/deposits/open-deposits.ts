/**
 * The commit that opens deposits: each is opened completely or not at all. The unique order decides. No money moves, so the
 * transaction does not lock a merchant.
 */
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { OpenOutcome, OpenRequest } from '../../domain/deposits/deposit-store.ts';
import { decideOrder } from '../../domain/payments/sessions/order-claim.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import { FOR_CLUSTER, STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { lockMerchants } from '../ledger/ledger-posting.ts';
import { newDepositRow } from './deposit-rows.ts';
import { findOrderHolder, freeOrder } from './order-holder.ts';

/** A merchant may reuse one of its CLABEs only after this time (decision 36). */
const REUSABLE_AFTER_MS = 180 * DAY_MS;

/**
 * Rows are sorted by order, so that two batches with common orders cannot deadlock over the unique key. The statement fails if
 * an address still belongs to another deposit, for example after a prefix that overlaps an older prefix. Otherwise the payer of
 * one deposit would pay another deposit.
 */
const OPEN = `${STEP_BY_STEP}
with incoming as (
  select * from json_to_recordset($1) as r(
    merchant_id text, transaction_id bigint, uuid uuid, order_id text, payment_type text, currency text, amount bigint,
    amount_text text, payer jsonb, rail text, pay_to text, beneficiary text, created_at timestamptz, expires_at timestamptz,
    closes_at timestamptz, reusable_at timestamptz)),
claimed as (
  insert into deposit_orders (merchant_id, order_id, transaction_id)
  select merchant_id, order_id, transaction_id from incoming order by merchant_id, order_id
  on conflict (merchant_id, order_id) do nothing
  returning merchant_id, transaction_id),
fresh as (select i.* from incoming as i join claimed using (merchant_id, transaction_id)),
opened as (
  insert into deposits (merchant_id, transaction_id, uuid, order_id, payment_type, currency, amount, amount_text, payer, rail,
    pay_to, beneficiary, state, created_at, expires_at, closes_at)
  select merchant_id, transaction_id, uuid, order_id, payment_type, currency, amount, amount_text, payer, rail,
    pay_to, beneficiary, 'pending', created_at, expires_at, closes_at from fresh),
recorded as (
  insert into deposit_history (merchant_id, transaction_id, entry, at, event, to_state, actor)
  select merchant_id, transaction_id, 1, created_at, 'opened', 'pending', 'merchant' from fresh),
assigned as (
  insert into clabes as c (clabe, merchant_id, transaction_id, assigned_at, reusable_at)
  select pay_to, merchant_id, transaction_id, created_at, reusable_at from fresh
  on conflict (clabe) do update
    set transaction_id = case when c.merchant_id = excluded.merchant_id and c.reusable_at = 'infinity' then excluded.transaction_id end,
      assigned_at = excluded.assigned_at, reusable_at = excluded.reusable_at)
select transaction_id from claimed`;

/** Opens each of `requests` and gives the outcomes in the same order. Safe to run again with the same requests. */
export async function openDeposits(database: Database, requests: readonly OpenRequest[]): Promise<OpenOutcome[]> {
  const deposits = requests.map(({ deposit }) => deposit);
  const rows = deposits.map((deposit) => ({
    ...newDepositRow(deposit),
    reusable_at: timestamp(deposit.closesAt + REUSABLE_AFTER_MS),
  }));
  const claimed = await database.prepared<{ transaction_id: bigint }>('open-deposits', OPEN, [JSON.stringify(rows)]);
  const opened = new Set(claimed.map((row) => Number(row.transaction_id)));
  // An earlier run of this batch may have committed although its response was lost.
  const open = deposits.filter(({ transactionId }) => !opened.has(transactionId));
  if (open.length > 0) for (const id of await alreadyOpened(database, open)) opened.add(id);
  const instead = new Map<number, OpenOutcome>();
  for (const index of await behindUnsigned(database, deposits, opened)) {
    const [request, row] = [requests[index], rows[index]];
    const outcome = request && row && (await openInstead(database, request, row));
    if (outcome) instead.set(request.deposit.transactionId, outcome);
  }
  return deposits.map(({ transactionId }) =>
    opened.has(transactionId)
      ? { kind: 'opened', displaced: null }
      : (instead.get(transactionId) ?? { kind: 'order_exists' }),
  );
}

async function alreadyOpened(database: Database, deposits: readonly Deposit[]): Promise<number[]> {
  const rows = await database.prepared<{ transaction_id: bigint }>(
    'find-opened-deposits',
    `select o.transaction_id from unnest($1::text[], $2::text[], $3::bigint[]) as k(merchant_id, order_id, transaction_id)
     join deposit_orders as o using (merchant_id, order_id, transaction_id) where o.merchant_id = any($1::text[]) ${FOR_CLUSTER}`,
    [
      deposits.map(({ merchantId }) => merchantId),
      deposits.map(({ orderId }) => orderId),
      deposits.map(({ transactionId }) => transactionId),
    ],
  );
  return rows.map((row) => Number(row.transaction_id));
}

/**
 * Returns the indexes in `deposits` of requests whose order belongs to an unsigned form request. For each order it
 * returns only the first, which then takes the order over.
 */
async function behindUnsigned(
  database: Database,
  deposits: readonly Deposit[],
  opened: ReadonlySet<number>,
): Promise<number[]> {
  const refused = deposits.filter(({ transactionId }) => !opened.has(transactionId));
  if (refused.length === 0) return [];
  const rows = await database.prepared<{ transaction_id: bigint }>(
    'find-unsigned-holders',
    `select k.transaction_id from unnest($1::text[], $2::text[], $3::bigint[]) as k(merchant_id, order_id, transaction_id)
     join deposit_orders as o using (merchant_id, order_id) where o.merchant_id = any($1::text[]) ${FOR_CLUSTER} and not o.is_signed`,
    [
      refused.map(({ merchantId }) => merchantId),
      refused.map(({ orderId }) => orderId),
      refused.map(({ transactionId }) => transactionId),
    ],
  );
  const behind = new Set(rows.map((row) => Number(row.transaction_id)));
  const first = new Map<string, number>();
  for (const [index, { merchantId, orderId, transactionId }] of deposits.entries()) {
    const order = `${merchantId}/${orderId}`;
    if (behind.has(transactionId) && !first.has(order)) first.set(order, index);
  }
  return [...first.values()];
}

/** Opens one deposit at a time, because the case is rare and needs the merchant's lock. */
function openInstead(database: Database, request: OpenRequest, row: Record<string, unknown>): Promise<OpenOutcome> {
  const { deposit } = request;
  const { money, createdAt: at } = deposit;
  return database.transaction(async (transaction) => {
    await lockMerchants(transaction, [deposit.merchantId]);
    const holder = await findOrderHolder(transaction, deposit);
    const claim = { by: 'host_to_host', isSigned: true, visitorHash: null, money, at } as const;
    if (holder && decideOrder(holder, claim) === 'kept') return { kind: 'order_exists' };
    const displaced = holder && (await freeOrder(transaction, holder, request, at));
    const claimed = await transaction.prepared('open-deposits', OPEN, [JSON.stringify([row])]);
    return claimed.length === 1 ? { kind: 'opened', displaced } : { kind: 'order_exists' };
  });
}
