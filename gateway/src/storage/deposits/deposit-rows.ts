/** Maps deposits and incoming transfers between rows and types. */

import type { Deposit, FailReason, FoundBy, RecordedTransfer, TransferState } from '../../domain/deposits/deposit.ts';
import type { ReceiptPlan, ReceiptRequest } from '../../domain/deposits/deposit-store.ts';
import type { PaymentType } from '../../domain/methods/payment-type.ts';
import type { Currency } from '../../foundation/currency.ts';
import { byteaText, timestamp } from '../core/parameters.ts';

export const DEPOSIT_COLUMNS = `d.merchant_id, d.transaction_id, d.uuid, d.order_id, d.payment_type, d.currency, d.amount,
  d.amount_text, d.payer, d.rail, d.pay_to, d.beneficiary, d.state, d.fail_reason, d.received, d.fee, d.created_at,
  d.expires_at, d.closes_at, d.finished_at, d.displaced_by`;

type SameOfDeposit = 'uuid' | 'payer' | 'rail' | 'beneficiary' | 'state' | 'received' | 'fee';

export interface DepositRow extends Pick<Deposit, SameOfDeposit> {
  merchant_id: string;
  transaction_id: bigint;
  order_id: string;
  payment_type: PaymentType;
  currency: Currency;
  amount: bigint;
  amount_text: string;
  pay_to: string;
  fail_reason: FailReason | null;
  created_at: number;
  expires_at: number;
  closes_at: number;
  finished_at: number | null;
  displaced_by: bigint | null;
}

export function depositFromRow(row: DepositRow): Deposit {
  return {
    merchantId: row.merchant_id,
    transactionId: Number(row.transaction_id),
    uuid: row.uuid,
    orderId: row.order_id,
    paymentType: row.payment_type,
    money: { currency: row.currency, minor: row.amount },
    amountText: row.amount_text,
    payer: row.payer,
    rail: row.rail,
    payTo: row.pay_to,
    beneficiary: row.beneficiary,
    state: row.state,
    failReason: row.fail_reason,
    received: row.received,
    fee: row.fee,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    closesAt: row.closes_at,
    finishedAt: row.finished_at,
    displacedBy: row.displaced_by === null ? null : Number(row.displaced_by),
  };
}

/** Returns the JSON row of a deposit that the opening statement reads. */
export function newDepositRow(deposit: Deposit): Record<string, unknown> {
  return {
    merchant_id: deposit.merchantId,
    transaction_id: deposit.transactionId,
    uuid: deposit.uuid,
    order_id: deposit.orderId,
    payment_type: deposit.paymentType,
    currency: deposit.money.currency,
    amount: deposit.money.minor.toString(),
    amount_text: deposit.amountText,
    payer: deposit.payer,
    rail: deposit.rail,
    pay_to: deposit.payTo,
    beneficiary: deposit.beneficiary,
    created_at: timestamp(deposit.createdAt),
    expires_at: timestamp(deposit.expiresAt),
    closes_at: timestamp(deposit.closesAt),
  };
}

/** The columns of the view transfers_in. */
export const TRANSFER_IN_COLUMNS = `t.merchant_id, t.rail, t.transfer_key, t.transaction_id, t.pay_to, t.currency, t.amount,
  t.originator, t.mismatch, t.status, t.found_by, t.booked_at, t.recorded_at, t.resolved_at, t.resolution, t.return_id, t.kept`;

type SameOfTransfer = 'rail' | 'originator' | 'mismatch' | 'resolution' | 'kept';

export interface IncomingTransferRow extends Pick<RecordedTransfer, SameOfTransfer> {
  merchant_id: string;
  transfer_key: string;
  transaction_id: bigint | null;
  pay_to: string;
  currency: Currency;
  amount: bigint;
  status: TransferState;
  found_by: FoundBy;
  booked_at: number;
  recorded_at: number;
  resolved_at: number | null;
  return_id: string | null;
}

export function transferFromRow(row: IncomingTransferRow): RecordedTransfer {
  return {
    merchantId: row.merchant_id,
    rail: row.rail,
    transferKey: row.transfer_key,
    transactionId: row.transaction_id === null ? null : Number(row.transaction_id),
    payTo: row.pay_to,
    money: { currency: row.currency, minor: row.amount },
    originator: row.originator,
    mismatch: row.mismatch,
    state: row.status,
    foundBy: row.found_by,
    bookedAt: row.booked_at,
    recordedAt: row.recorded_at,
    resolvedAt: row.resolved_at,
    resolution: row.resolution,
    returnId: row.return_id,
    kept: row.kept,
  };
}

/** Returns the JSON row of a transfer that the recording statement reads. */
export function newTransferRow(
  { merchantId, transactionId, transfer, foundBy, recordedAt, card }: ReceiptRequest,
  { state, mismatch }: ReceiptPlan['transfer'],
): Record<string, unknown> {
  const kept = state === 'held' ? card : null;
  return {
    merchant_id: merchantId,
    rail: transfer.rail,
    transfer_key: transfer.transferKey,
    transaction_id: transactionId,
    pay_to: transfer.payTo,
    currency: transfer.money.currency,
    amount: transfer.money.minor.toString(),
    originator: { ...transfer.originator, cardToken: kept?.token },
    vault_token: kept?.token ?? null,
    master_key_id: kept?.sealed.masterKeyId ?? null,
    wrapped_key: kept ? byteaText(kept.sealed.wrappedKey) : null,
    ciphertext: kept ? byteaText(kept.sealed.ciphertext) : null,
    mismatch,
    state,
    found_by: foundBy,
    booked_at: timestamp(transfer.bookedAt),
    recorded_at: timestamp(recordedAt),
  };
}
