/**
 * The connection to the bank, with mutual TLS and the access token, and the requests about a charge. protocol.ts and
 * refund-messages.ts decide what a response means. It may repeat a request only if the bank returned 401, because the bank
 * then did not read it.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { identityIn } from '../kit/certificate-files.ts';
import {
  createProviderHttp,
  isCertificateRefused,
  type ProviderHttp,
  type ProviderReply,
} from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { createAccessTokens } from './authentication.ts';
import { PIX, type PixConfiguration } from './configuration.ts';
import { type ChargeAnswer, chargePath, REMOVAL, readChargeAnswer } from './protocol.ts';

export const PIX_CONCURRENCY = 8;

interface BankRequest {
  readonly verb: 'GET' | 'PUT' | 'PATCH';
  /** The path below the version: `/cob/…`. */
  readonly path: string;
  readonly body?: string;
}

/** `not_sent`: the bank provably did not accept the request. `no_answer`: it may have. */
export type PixAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'no_answer'; readonly reason: string };

export interface PixApi {
  /** Never throws. */
  exchange(request: BankRequest, deadline: Deadline): Promise<PixAnswer>;
  close(): Promise<void>;
}

const LARGEST_ANSWER_BYTES = 256 * 1024;

export function createPixApi(configuration: PixConfiguration, hooks: RailHooks, clock: Clock): PixApi {
  const connect = (baseUrl: string, connections: number): ProviderHttp =>
    createProviderHttp({
      baseUrl,
      connections,
      largestAnswerBytes: LARGEST_ANSWER_BYTES,
      identify: () => identityIn(configuration),
    });
  const api = connect(configuration.url, PIX_CONCURRENCY);
  const tokenHttp = connect(configuration.tokenUrl, 1);
  const tokens = createAccessTokens(configuration, tokenHttp, clock);

  const exchangeOnce = async (request: BankRequest, deadline: Deadline): Promise<PixAnswer & { token?: string }> => {
    const answer = await tokens.get(deadline);
    if (answer.kind === 'refused') hooks.onCredentialRefused(PIX);
    if (answer.kind !== 'token') return { kind: 'not_sent', reason: answer.reason };
    const { token } = answer;
    const headers = { authorization: `Bearer ${token}`, ...(request.body && { 'content-type': 'application/json' }) };
    const reply = await api.exchange({ ...request, headers }, deadline);
    if (isCertificateRefused(reply)) hooks.onCredentialRefused(PIX);
    return { ...replyOf(reply), token };
  };

  return {
    async exchange(request, deadline) {
      const first = await exchangeOnce(request, deadline);
      if (!isTokenRefused(first)) return first;
      tokens.drop(first.token ?? '');
      const second = await exchangeOnce(request, deadline);
      if (!isTokenRefused(second)) return second;
      hooks.onCredentialRefused(PIX);
      return { kind: 'not_sent', reason: 'the bank refuses our access token' };
    },
    async close() {
      await Promise.all([api.close(), tokenHttp.close()]);
    },
  };
}

function isTokenRefused(reply: PixAnswer): boolean {
  return reply.kind === 'answered' && reply.status === 401;
}

function replyOf(reply: ProviderReply): PixAnswer {
  if (reply.kind === 'answered') return reply;
  const { kind, reason } = reply;
  return { kind: kind === 'not_connected' ? 'not_sent' : kind, reason };
}

/** `not_sent`: the bank provably did not accept the request. */
export type ChargeReply = ChargeAnswer | { readonly kind: 'not_sent'; readonly reason: string };

export function putCharge(bank: PixApi, txid: string, body: string, deadline: Deadline): Promise<ChargeReply> {
  return exchangeCharge(bank, { verb: 'PUT', txid, body }, deadline);
}

export function getCharge(bank: PixApi, txid: string, deadline: Deadline): Promise<ChargeReply> {
  return exchangeCharge(bank, { verb: 'GET', txid }, deadline);
}

/** Removes a charge, so that it can no longer be paid. */
export function removeCharge(bank: PixApi, txid: string, deadline: Deadline): Promise<ChargeReply> {
  return exchangeCharge(bank, { verb: 'PATCH', txid, body: REMOVAL }, deadline);
}

interface ChargeRequest {
  readonly verb: 'GET' | 'PUT' | 'PATCH';
  readonly txid: string;
  readonly body?: string;
}

async function exchangeCharge(
  bank: PixApi,
  { txid, ...request }: ChargeRequest,
  deadline: Deadline,
): Promise<ChargeReply> {
  const reply = await bank.exchange({ ...request, path: chargePath(txid) }, deadline);
  if (reply.kind === 'answered') return readChargeAnswer(reply.status, reply.body, txid);
  return reply.kind === 'not_sent' ? reply : { kind: 'unknown', reason: reply.reason };
}
