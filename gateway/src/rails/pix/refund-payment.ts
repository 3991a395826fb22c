/**
 * Refunds a payment through the bank, and queries the outcome. It accepts a rejection only if the bank then has no
 * such devolução. At a bank that accepts an id once, the rejected request may be a repetition.
 */
import type { RefundAnswer, RefundOrder } from '../../domain/payments/payment-rail.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { isIndefinite } from '../kit/provider-http.ts';
import { getCharge, type PixAnswer, type PixApi } from './api.ts';
import { END_TO_END_ID } from './protocol.ts';
import { identifierOf } from './reference.ts';
import { type RefundReading, readRefund, refundPath, writeRefund } from './refund-messages.ts';

const NO_PIX = 'the bank’s response does not contain a Pix to return';

export async function refundPayment(bank: PixApi, order: RefundOrder, deadline: Deadline): Promise<RefundAnswer> {
  const endToEndId = await endToEndIdOf(bank, order, deadline);
  if (endToEndId === undefined) return { kind: 'not_accepted', reason: NO_PIX };
  const id = identifierOf(order.reference);
  const path = refundPath(endToEndId, id);
  const reply = await bank.exchange({ verb: 'PUT', path, body: writeRefund(order.money) }, deadline);
  if (reply.kind === 'not_sent') return { kind: 'not_accepted', reason: reply.reason };
  const reading = readReply(reply, id);
  if (reading.kind === 'refund' || reading.kind === 'unknown') return answerOf(reading, order);
  const proof = readReply(await bank.exchange({ verb: 'GET', path }, deadline), id);
  if (proof.kind !== 'not_found') return answerOf(proof, order);
  if (reading.kind === 'refused' && isIndefinite(reading.status)) return { kind: 'unknown', reason: reading.reason };
  return {
    kind: 'refused',
    reason: reading.kind === 'refused' ? reading.reason : 'the bank has no such payment',
  };
}

export async function askRefund(
  bank: PixApi,
  order: RefundOrder,
  deadline: Deadline,
): Promise<RefundAnswer | { readonly kind: 'not_found' }> {
  const endToEndId = await endToEndIdOf(bank, order, deadline);
  if (endToEndId === undefined) return { kind: 'unknown', reason: NO_PIX };
  const id = identifierOf(order.reference);
  const reading = readReply(await bank.exchange({ verb: 'GET', path: refundPath(endToEndId, id) }, deadline), id);
  return reading.kind === 'not_found' ? reading : answerOf(reading, order);
}

/**
 * Returns the Pix to return: the given receipt, or otherwise the first Pix of the charge, stored since the payment or queried.
 */
async function endToEndIdOf(
  bank: PixApi,
  { payment, receiptKey = '' }: RefundOrder,
  deadline: Deadline,
): Promise<string | undefined> {
  if (END_TO_END_ID.test(receiptKey)) return receiptKey;
  if (END_TO_END_ID.test(payment.providerReference)) return payment.providerReference;
  const reply = await getCharge(bank, identifierOf(payment.reference), deadline);
  return reply.kind === 'charge' ? reply.charge.received[0]?.endToEndId : undefined;
}

function readReply(reply: PixAnswer, id: string): RefundReading {
  return reply.kind === 'answered'
    ? readRefund(reply.status, reply.body, id)
    : { kind: 'unknown', reason: reply.reason };
}

function answerOf(reading: Exclude<RefundReading, { kind: 'not_found' }>, { money }: RefundOrder): RefundAnswer {
  if (reading.kind !== 'refund') return { kind: 'unknown', reason: reading.reason };
  const { state, reason, money: reported } = reading.refund;
  if (reported.minor !== money.minor) return { kind: 'unknown', reason: 'the bank returns another amount' };
  if (state === 'DEVOLVIDO') return { kind: 'refunded' };
  return state === 'NAO_REALIZADO' ? { kind: 'refused', reason: reason || state } : { kind: 'pending' };
}
