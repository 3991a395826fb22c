/**
 * Writes and reads refunds from our account at Token.io. Pure.
 *
 * Confirmed by Token.io's OpenAPI document of refunds: the URL, `refId`, `amount`, `originalPaymentId`, `localInstrument` and
 * `description`, the list by `refIds`, the statuses. Confirmed by its documents: a refund is full or partial, and all together
 * never exceed the payment. Token.io takes the payer's account from the payment. INITIATION_PROCESSING may last.
 * REFUND_STATUS_CHANGED reports the end only by the refund's own refId and does not contain a payment, so the rail queries
 * refunds. Not confirmed: `paymentType`, which the document requires and never describes (the rail does not send it). Not
 * confirmed: that Token.io rejects a repeated refId, so the rail sends a refund once.
 */
import type { RefundAnswer, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { type Fields, readPlainObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import { unknown } from '../kit/rail-answers.ts';
import { type Account, amountOf, onBehalf, refIdOf } from './protocol.ts';
import { euroOf, fieldsOf, listOf } from './read-fields.ts';
import { meaningOfRefund } from './vocabulary.ts';

export const REFUNDS_PATH = '/refunds';
const MOST_LISTED = '10';

export function writeRefund({ payment, reference, money }: RefundOrder, account: Account): string {
  const initiation = {
    refId: refIdOf(reference),
    amount: amountOf(money),
    originalPaymentId: payment.providerReference,
    localInstrument: account.localInstrument,
    description: `Refund ${reference} of ${payment.reference}`,
    ...onBehalf(account),
  };
  return JSON.stringify({ initiation });
}

export function refundsQuery(reference: string, { onBehalfOf }: Account): string {
  const query = new URLSearchParams({ limit: MOST_LISTED, refIds: refIdOf(reference) });
  if (onBehalfOf !== '') query.set('onBehalfOfIds', onBehalfOf);
  return query.toString();
}

/** Reads the response to a refund order. */
export function readRefundAnswer(body: Buffer, order: RefundOrder): RefundAnswer {
  return answerOf(fieldsOf(readPlainObject(body), 'refund'), order);
}

export function readRefundList(body: Buffer, order: RefundOrder): RefundAnswer | { readonly kind: 'not_found' } {
  const answer = readPlainObject(body);
  if (!answer || !Array.isArray(answer['refunds'])) return unknown('no list of refunds');
  const refId = refIdOf(order.reference);
  const ours = listOf(answer, 'refunds').filter((refund) => textOf(fieldsOf(refund, 'initiation'), 'refId') === refId);
  if (ours.length === 0) return answer['refunds'].length === 0 ? { kind: 'not_found' } : unknown('another’s refunds');
  return ours.length === 1 ? answerOf(ours[0], order) : unknown('Token.io lists several refunds of that reference');
}

function answerOf(refund: Fields | undefined, { payment, reference, money }: RefundOrder): RefundAnswer {
  const initiation = fieldsOf(refund, 'initiation');
  const isAsOrdered =
    textOf(initiation, 'refId') === refIdOf(reference) &&
    textOf(initiation, 'originalPaymentId') === payment.providerReference &&
    euroOf(initiation, 'amount')?.minor === money.minor;
  if (!isAsOrdered) return unknown('Token.io’s response is about another refund');
  const status = shownTextOf(refund, 'status');
  const reason = `${status} ${shownTextOf(refund, 'statusReasonInformation')}`.trim();
  switch (meaningOfRefund(status)) {
    case 'refunded':
      return { kind: 'refunded' };
    case 'pending':
      return { kind: 'pending' };
    case 'refused':
      return { kind: 'refused', reason };
    case undefined:
      return unknown(`Token.io reports ${reason || 'no status'}`);
  }
}
