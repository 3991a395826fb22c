/** Checks deposits: STP's book, the recorded transfers, the deposits and the merchants' own records must agree. */
import type { IncomingTransfer } from '../../src/domain/deposits/deposit.ts';
import { HOUR_MS, type Instant } from '../../src/foundation/clock.ts';
import type { SpeiBank } from '../actors/spei-bank.ts';
import type { JudgeParts } from './judge-payouts.ts';

interface TransferRow {
  readonly transfer_key: string;
  readonly amount: string;
  readonly pay_to: string;
}

interface DepositRow {
  readonly merchant_id: string;
  readonly order_id: string;
  readonly rail: string;
  readonly paid_attempts: number;
  readonly state: string;
  readonly fail_reason: string | null;
  readonly pay_to: string;
  readonly amount: string;
  readonly created: Instant;
  readonly closes: Instant;
  readonly callbacks: number;
  /** True if other deposits had the same address. */
  readonly is_shared: boolean;
}

interface ReturnRow {
  readonly merchant_id: string;
  readonly payout_id: string;
  readonly state: string;
}

/** The payer's time limit plus the grace period, as documented for merchants. The gateway must accept a payment until then. */
const SPEI_COUNTS_MS = 96 * HOUR_MS;

/** Returns one line per disagreement about deposits created, or transfers recorded, since `since`. */
export async function judgeDeposits(
  { query, merchants, staff, ordersOf }: Pick<JudgeParts, 'query' | 'merchants' | 'staff' | 'ordersOf'>,
  { book, paidTo }: Pick<SpeiBank, 'book' | 'paidTo'>,
  since: Instant,
): Promise<string[]> {
  const recorded = await query<TransferRow>(TRANSFERS, [new Date(since)]);
  const deposits = await query<DepositRow>(DEPOSITS, [new Date(since)]);
  const faults = compareTransfers(recorded, book.slice(book.findLastIndex(({ bookedAt }) => bookedAt < since) + 1));
  for (const row of deposits) {
    const name = `deposit ${row.merchant_id}/${row.order_id} (${row.state})`;
    const paid = paidTo(row.pay_to);
    const until = row.rail === 'stp' ? row.created + SPEI_COUNTS_MS : row.closes;
    const inTime = paid.filter(({ money, bookedAt }) => money.minor === BigInt(row.amount) && bookedAt < until);
    const isFinal = row.state === 'success' || row.state === 'fail';
    if (!isFinal) faults.push(`${name} does not end`);
    const isPaid = paid.length > 0 || row.paid_attempts > 0;
    if (row.state === 'success' && !isPaid && !staff.credited.has(`${row.merchant_id}/${row.order_id}`))
      faults.push(`${name}: nobody paid it`);
    if (row.fail_reason === 'expired' && inTime.length > 0 && !row.is_shared) faults.push(`${name} was paid in time`);
    if (isFinal && row.callbacks !== 1) faults.push(`${name}: ${row.callbacks} callbacks`);
    const reported = merchants.get(row.merchant_id)?.shop.deposits.get(row.order_id)?.reportedState;
    if (reported !== undefined && reported !== row.state) faults.push(`${name}: the merchant knows ${reported}`);
  }
  for (const row of await query<ReturnRow>(RETURNS, [new Date(since)])) {
    const orders = ordersOf(`${row.merchant_id}/${row.payout_id}`);
    const wasPaid = orders.some(({ wasExecuted }) => wasExecuted);
    const isKept = orders.some(({ state }) => state === 'executed');
    const name = `return ${row.merchant_id}/${row.payout_id} (${row.state})`;
    if (row.state === 'pending') faults.push(`${name} does not end`);
    if (row.state === 'success' && !wasPaid) faults.push(`${name}: no bank paid it`);
    if (row.state === 'blocked' && isKept) faults.push(`${name}: a bank paid it`);
  }
  return faults;
}

function compareTransfers(recorded: readonly TransferRow[], booked: readonly IncomingTransfer[]): string[] {
  const rows = new Map(recorded.map((row) => [row.transfer_key, row]));
  const faults: string[] = [];
  for (const { transferKey, money, payTo } of booked) {
    const row = rows.get(transferKey);
    rows.delete(transferKey);
    if (!row) faults.push(`transfer ${transferKey} of ${money.minor} to ${payTo} is not recorded`);
    else if (BigInt(row.amount) !== money.minor)
      faults.push(`transfer ${transferKey}: ${row.amount}, not ${money.minor}`);
  }
  for (const { transfer_key, amount } of rows.values())
    faults.push(`transfer ${transfer_key} of ${amount} was never made`);
  return faults;
}

const TRANSFERS = `
  select transfer_key, amount::text, pay_to from incoming_transfers where rail = 'stp' and booked_at >= $1`;

const DEPOSITS = `
  select d.merchant_id, d.order_id, d.rail, d.state, d.fail_reason, d.pay_to, d.amount::text,
    (extract(epoch from d.created_at) * 1000)::float8 as created,
    (extract(epoch from d.closes_at) * 1000)::float8 as closes,
    (select count(*)::int from payment_attempts as a where a.merchant_id = d.merchant_id
      and a.transaction_id = d.transaction_id and a.state = 'paid') as paid_attempts,
    d.rail = 'stp' and exists (select from deposits as o where o.pay_to = d.pay_to and o.transaction_id <> d.transaction_id) as is_shared,
    (select count(*)::int from callbacks as c
      where c.merchant_id = d.merchant_id and c.subject = 'deposit' and c.subject_id = d.order_id) as callbacks
  from deposits as d where d.created_at >= $1
  order by d.created_at, d.merchant_id, d.order_id`;

const RETURNS = `
  select merchant_id, payout_id, state from payouts
  where purpose = 'return' and accepted_at >= $1
  order by accepted_at, merchant_id, payout_id`;
