/**
 * Reads the receipts of a payment with their current owners. A receipt first belongs to the payment's own deposit. The
 * directory of transfers has the merchant that owns it now.
 */
import type { DepositKey, TransferId } from '../../domain/deposits/deposit.ts';
import type { PaymentAttempt } from '../../domain/payments/attempts/payment-attempt.ts';
import { receiptsOf } from '../../domain/payments/attempts/payment-attempt.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Queryable } from '../core/database.ts';
import type { IncomingTransferRow } from './deposit-rows.ts';

type Same = 'merchant_id' | 'transfer_key' | 'rail' | 'pay_to' | 'currency' | 'amount' | 'kept';

export interface ReceiptRow extends Pick<IncomingTransferRow, Same> {
  transaction_id: bigint;
  status: string;
  taken_back: bigint;
  /** Includes refunds of former merchants, which a bank may execute after it declined them. */
  refunded: bigint;
  former_merchants: readonly string[];
}

const RECEIPT_COLUMNS = `s.merchant_id, s.transfer_key, s.transaction_id, s.rail, s.pay_to, s.currency, s.amount, s.status, s.kept,
  s.taken_back, s.refunded, s.former_merchants`;

interface ReceiptKeyRow {
  merchant_id: string;
  transfer_key: string;
  rail: string;
}

/** Returns the receipts in the order of arrival. */
export async function readReceipts(queryable: Queryable, attempt: PaymentAttempt): Promise<ReceiptRow[]> {
  const keys = receiptsOf(attempt).map(({ transferKey }) => transferKey);
  const listed = await queryable.query<ReceiptKeyRow>(
    'select merchant_id, transfer_key, rail from incoming_transfer_keys where rail = $1 and transfer_key = any($2::text[])',
    [attempt.rail, keys],
  );
  const rows = await readReceiptRows(queryable, listed);
  return rows.sort((one, other) => keys.indexOf(one.transfer_key) - keys.indexOf(other.transfer_key));
}

/** Returns the receipts credited to a deposit, oldest first, whether or not they match its amount. */
export async function readCreditedReceipts(
  queryable: Queryable,
  { merchantId, transactionId }: DepositKey,
): Promise<ReceiptRow[]> {
  const listed = await queryable.query<ReceiptKeyRow>(
    `select merchant_id, transfer_key, rail from incoming_transfers
     where merchant_id = $1 and transaction_id = $2 and state = 'credited' order by recorded_at, transfer_key`,
    [merchantId, transactionId],
  );
  const keys = listed.map((row) => row.transfer_key);
  const rows = await readReceiptRows(queryable, listed);
  return rows.sort((one, other) => keys.indexOf(one.transfer_key) - keys.indexOf(other.transfer_key));
}

/** Reads the receipts one after another by key: a payment has few of them. */
async function readReceiptRows(queryable: Queryable, keys: readonly ReceiptKeyRow[]): Promise<ReceiptRow[]> {
  const rows: ReceiptRow[] = [];
  for (const { merchant_id, rail, transfer_key } of keys)
    rows.push(...(await readReceiptRow(queryable, merchant_id, { rail, transferKey: transfer_key })));
  return rows;
}

/** Returns no row or one row. */
export async function readReceiptRow(
  queryable: Queryable,
  merchantId: MerchantId,
  transfer: TransferId,
): Promise<ReceiptRow[]> {
  const [row] = await queryable.query<ReceiptRow>(
    `select ${RECEIPT_COLUMNS} from receipt_balances as s
     where s.merchant_id = $1 and s.rail = $2 and s.transfer_key = $3`,
    [merchantId, transfer.rail, transfer.transferKey],
  );
  if (!row) return [];
  let { refunded } = row;
  for (const former of row.former_merchants) refunded += await readFormerRefunds(queryable, former, transfer);
  return [{ ...row, refunded }];
}

/** One merchant per statement, because merchants may be on different servers. */
async function readFormerRefunds(
  queryable: Queryable,
  merchantId: MerchantId,
  { rail, transferKey }: TransferId,
): Promise<bigint> {
  const [row] = await queryable.query<{ refunded: bigint }>(
    `select coalesce(sum(o.amount), 0)::bigint as refunded from refund_payouts as o
     where o.merchant_id = $1 and o.rail = $2 and o.transfer_key = $3 and o.is_out`,
    [merchantId, rail, transferKey],
  );
  return row?.refunded ?? 0n;
}

/** Never below zero: after a refund failed and its money was refunded again, a late execution may exceed the receipt. */
export function leftOf({ amount, taken_back, refunded }: ReceiptRow): bigint {
  const left = amount - taken_back - refunded;
  return left > 0n ? left : 0n;
}
