/** Deposit adjustments and refunds between their rows and their types. */
import type { AdjustmentKind, DepositAdjustment, DepositRefund } from '../domain/deposits/deposit-adjustment.ts';
import type { Currency } from '../foundation/currency.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

export const ADJUSTMENT_COLUMNS = 'j.attempt, j.kind, j.key, j.currency, j.amount, j.posted, j.at, j.detail';

export interface AdjustmentRow {
  attempt: number;
  kind: AdjustmentKind;
  key: string;
  currency: Currency;
  amount: bigint;
  posted: bigint;
  at: number;
  detail: string;
}

export function adjustmentFromRow({ currency, amount, ...row }: AdjustmentRow): DepositAdjustment {
  return { ...row, money: { currency, minor: amount } };
}

export const REFUND_COLUMNS = `f.attempt, f.reason, ${PAYOUT_COLUMNS}`;

export interface RefundRow extends PayoutRow {
  attempt: number;
  reason: string;
}

export function refundFromRow(row: RefundRow): DepositRefund {
  return { attempt: row.attempt, payout: payoutFromRow(row), reason: row.reason };
}
