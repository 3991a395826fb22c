/** Maps deposit adjustments and refunds between rows and types. */
import type { DepositAdjustment, DepositRefund } from '../../../domain/deposits/deposit-adjustment.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from '../../payouts/payout-rows.ts';

export const ADJUSTMENT_COLUMNS =
  'j.transaction_id, j.attempt, j.kind, j.key, j.currency, j.amount, j.posted, j.receipt_key, j.at, j.detail';

type Same = 'attempt' | 'kind' | 'key' | 'posted' | 'at' | 'detail';

export interface AdjustmentRow extends Pick<DepositAdjustment, Same> {
  transaction_id: bigint;
  currency: Currency;
  amount: bigint;
  receipt_key: string | null;
}

export function adjustmentFromRow(row: AdjustmentRow): DepositAdjustment {
  const { transaction_id, attempt, kind, key, currency, amount, posted, receipt_key: receiptKey, at, detail } = row;
  const money = { currency, minor: amount };
  return { transactionId: Number(transaction_id), attempt, kind, key, money, posted, receiptKey, at, detail };
}

export const REFUND_COLUMNS = `f.attempt, f.reason, ${PAYOUT_COLUMNS}`;

export interface RefundRow extends PayoutRow {
  attempt: number;
  reason: string;
}

export function refundFromRow(row: RefundRow): DepositRefund {
  return { attempt: row.attempt, payout: payoutFromRow(row), reason: row.reason };
}
