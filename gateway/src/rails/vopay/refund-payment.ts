/**
 * Requests a refund once, and queries its outcome. VoPay carries our reference only in the refund's note. If the response is
 * lost, the rail therefore searches for the refund among the transactions made from the payment, and never requests it again
 * without that search.
 */
import type { RefundAnswer, RefundOrder } from '../../domain/payments/payment-rail.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { unanswered } from '../kit/rail-answers.ts';
import type { VoPayApi } from './api.ts';
import { listRequest, readListed, readRefund, refundRequest } from './refund-messages.ts';

/** Accepts a rejection only if the list then contains no possible refund. */
export async function refundPayment(
  { api, clock }: { readonly api: VoPayApi; readonly clock: Clock },
  order: RefundOrder,
  deadline: Deadline,
): Promise<RefundAnswer> {
  const called = await api.call(refundRequest(order), deadline);
  if (called.kind === 'done') {
    return readRefund(called.fields) ?? { kind: 'unknown', reason: 'VoPay’s response does not contain a transaction' };
  }
  const { reason } = called;
  if (called.kind !== 'failed') return unanswered(called);
  const { kind } = called.meaning;
  if (kind === 'credentials' || kind === 'account') return { kind: 'not_accepted', reason };
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
