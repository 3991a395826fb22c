/**
 * The trace of a payment. Its ids follow only from the payment's key, so every process that works on the payment, on any
 * day, adds spans to the same trace, and nothing about it is stored.
 */
import { createHash } from 'node:crypto';
import type { DepositKey } from '../../../domain/deposits/deposit.ts';
import { readRemittance } from '../../../domain/payouts/payout-order.ts';
import type { PayoutKey } from '../../../foundation/identifiers.ts';

/** A deposit is found by its transaction id, because a provider's reference contains no merchant. */
export type PaymentKey = Pick<PayoutKey, 'merchantId' | 'payoutId'> | Pick<DepositKey, 'transactionId'>;

export interface PaymentTrace {
  /** An id of 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span of the acceptance, which is the parent of all others. */
  readonly spanId: string;
}

export function traceOf(payment: PaymentKey): PaymentTrace {
  const name =
    'payoutId' in payment ? `payout/${payment.merchantId}/${payment.payoutId}` : `deposit/${payment.transactionId}`;
  const hash = createHash('sha256').update(name).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/** Returns undefined if the remittance names no payout. One of the gateway's own payouts may have such a remittance. */
export function payoutOfOrder(order: { readonly remittance: string }): PaymentKey | undefined {
  return readRemittance(order.remittance);
}

/** The reference of an attempt begins with the deposit's transaction id. */
export function depositOfReference(reference: string): PaymentKey | undefined {
  const [, digits] = /^(\d{1,16})-/.exec(reference) ?? [];
  return digits === undefined ? undefined : { transactionId: Number(digits) };
}

/** Returns the payment of a callback, or undefined if its fields name none. */
export function paymentOfCallback({
  merchantId,
  payload,
}: {
  readonly merchantId: string;
  readonly payload: Readonly<Record<string, string>>;
}): PaymentKey | undefined {
  const transaction = payload['transaction_id'] ?? payload['co_inv_id'];
  if (transaction !== undefined && /^\d{1,16}$/.test(transaction)) return { transactionId: Number(transaction) };
  const payoutId = payload['payout_id'];
  return payoutId === undefined ? undefined : { merchantId, payoutId };
}
