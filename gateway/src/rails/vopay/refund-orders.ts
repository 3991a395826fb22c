/**
 * A refund, asked for once and asked about. VoPay has no reference of ours for it but its note, so one whose answer was lost is
 * looked for among what was made from the payment, and never asked for again blind.
 */
import type { RefundAnswer, RefundOrder } from '../../domain/payments/payment-rail.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { unanswered } from '../kit/payout-answers.ts';
import { listRequest, readListed, readRefund, refundRequest } from './refunds.ts';
import type { VoPayApi } from './vopay-api.ts';

/** A refusal is believed when the list then has nothing that could be the refund. */
export async function refundPayment(
  { api, clock }: { readonly api: VoPayApi; readonly clock: Clock },
  order: RefundOrder,
  deadline: Deadline,
): Promise<RefundAnswer> {
  const called = await api.call(refundRequest(order), deadline);
  if (called.kind === 'done') {
    return readRefund(called.fields) ?? { kind: 'unknown', reason: 'VoPay names no transaction' };
  }
  const { reason } = called;
  if (called.kind !== 'failed') return unanswered(called);
  const { kind } = called.meaning;
  if (kind === 'credentials' || kind === 'account') return { kind: 'not_taken', reason };
  if (kind !== 'refused' && kind !== 'wrong_state') return { kind: 'unknown', reason };
  const proof = await askRefund({ api, clock }, order, deadline);
  return proof.kind === 'not_found' ? { kind: 'refused', reason } : proof;
}

export async function askRefund(
  { api, clock }: { readonly api: VoPayApi; readonly clock: Clock },
  order: RefundOrder,
  deadline: Deadline,
): Promise<RefundAnswer | { readonly kind: 'not_found' }> {
  const called = await api.call(listRequest(order, clock.now()), deadline);
  return called.kind === 'done' ? readListed(called.fields, order) : { kind: 'unknown', reason: called.reason };
}
