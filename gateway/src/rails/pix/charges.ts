/** Sends one request about a charge and returns the meaning of its answer, which protocol.ts decides. */
import type { Deadline } from '../../foundation/deadline.ts';
import type { PixApi } from './api.ts';
import { type ChargeAnswer, chargePath, REMOVAL, readChargeAnswer } from './protocol.ts';

/** `not_sent`: the bank provably did not accept the request. */
export type ChargeReply = ChargeAnswer | { readonly kind: 'not_sent'; readonly reason: string };

export function putCharge(bank: PixApi, txid: string, body: string, deadline: Deadline): Promise<ChargeReply> {
  return exchange(bank, { verb: 'PUT', txid, body }, deadline);
}

export function getCharge(bank: PixApi, txid: string, deadline: Deadline): Promise<ChargeReply> {
  return exchange(bank, { verb: 'GET', txid }, deadline);
}

/** Removes a charge, so that it can no longer be paid. */
export function removeCharge(bank: PixApi, txid: string, deadline: Deadline): Promise<ChargeReply> {
  return exchange(bank, { verb: 'PATCH', txid, body: REMOVAL }, deadline);
}

interface ChargeRequest {
  readonly verb: 'GET' | 'PUT' | 'PATCH';
  readonly txid: string;
  readonly body?: string;
}

async function exchange(bank: PixApi, { txid, ...request }: ChargeRequest, deadline: Deadline): Promise<ChargeReply> {
  const reply = await bank.exchange({ ...request, path: chargePath(txid) }, deadline);
  if (reply.kind === 'answered') return readChargeAnswer(reply.status, reply.body, txid);
  return reply.kind === 'not_sent' ? reply : { kind: 'unknown', reason: reply.reason };
}
