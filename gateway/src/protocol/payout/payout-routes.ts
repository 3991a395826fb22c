/**
 * The payout family over HTTP: parses the bytes, authenticates the request, calls the endpoint and writes the reply.
 * Only this file turns rejections into texts and statuses. It must not decide anything about payouts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DepositStore } from '../../domain/deposits/deposit-store.ts';
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { AcceptPayout } from '../../domain/payouts/accept-payout.ts';
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import type { PayoutStore } from '../../domain/payouts/payout-store.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/ids.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Refused } from '../authentication/authenticate-merchant.ts';
import { createRateLimiter, type DefaultRates, type EndpointRate } from '../authentication/rate-limit.ts';
import { createSignatureSlowdown } from '../authentication/signature-slowdown.ts';
import { acceptSignedBodies, receivedBody } from '../http/received-body.ts';
import { refusalStatus, refusalText, retryAfterHeader } from '../http/refusal-answer.ts';
import { sendJson, sendSignedJson } from '../http/send-json.ts';
import {
  type Authenticate,
  type AuthenticRequest,
  createAuthenticate,
  type WireRequest,
} from './authenticate-request.ts';
import { createPaymentBalance } from './payment-balance.ts';
import { createPaymentList } from './payment-list.ts';
import type { EndpointReply, PayoutEndpoint, PayoutRateSetting, ReadRecovery } from './payout-endpoint.ts';
import { payoutErrorReply, signReply } from './payout-reply.ts';
import { createPayoutSend } from './payout-send.ts';
import { createPayoutStatus } from './payout-status.ts';
import { REFUSAL_ANSWERS } from './refusal-answers.ts';

export interface PayoutWireParts {
  readonly directory: MerchantDirectory;
  readonly acceptPayout: AcceptPayout;
  readonly payouts: Pick<PayoutStore, 'find' | 'list'>;
  readonly deposits: Pick<DepositStore, 'list'>;
  readonly ledger: Pick<LedgerStore, 'balances'>;
  readonly recovery: ReadRecovery;
  readonly clock: Clock;
  readonly random: Random;
  readonly defaultRates: Pick<DefaultRates, PayoutRateSetting>;
  /** Receives each rejection. The merchant's id is empty if no such merchant exists. */
  readonly onRefused: (merchantId: string, refusal: PayoutRefusal) => void;
}

/** A fastify plug-in: `app.register(payoutRoutes(parts))`. */
export function payoutRoutes(parts: PayoutWireParts): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    acceptSignedBodies(scope);
    const authenticate = createAuthenticate({ ...parts, slowdown: createSignatureSlowdown(parts.clock) });
    const limiters = {
      payout_rate_limit: createRateLimiter(parts.clock),
      status_rate_limit: createRateLimiter(parts.clock),
    };
    for (const endpoint of endpointsOf(parts)) {
      const setting = endpoint.rateSetting;
      const rate = { setting, defaultPerSecond: parts.defaultRates[setting], limiter: limiters[setting] };
      scope.post(endpoint.path, (request, reply) =>
        serve(endpoint, rate, authenticate, parts.onRefused, request, reply),
      );
    }
  };
}

function endpointsOf({
  acceptPayout,
  payouts,
  deposits,
  ledger,
  clock,
  recovery,
}: PayoutWireParts): readonly PayoutEndpoint[] {
  return [
    createPayoutSend(acceptPayout, clock),
    createPayoutStatus(payouts, recovery),
    createPaymentBalance(ledger),
    createPaymentList(payouts, deposits, clock, recovery),
  ];
}

async function serve(
  endpoint: PayoutEndpoint,
  rate: EndpointRate,
  authenticate: Authenticate,
  onRefused: PayoutWireParts['onRefused'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const authentic = await authenticate(readWireRequest(endpoint, request), rate);
  const answer = authentic.ok ? await answerAuthentic(endpoint, authentic.value) : authentic;
  if (answer.ok) return sendSigned(reply, answer.value);

  const { refusal, merchant } = answer.error;
  onRefused(merchant?.merchantId ?? '', refusal);
  reply.headers(retryAfterHeader(refusal));
  const status = refusalStatus(REFUSAL_ANSWERS, refusal, merchant?.settings.strict_http_codes === 'on');
  return sendJson(reply, status, payoutErrorReply(refusalText(REFUSAL_ANSWERS, refusal)));
}

function readWireRequest(endpoint: PayoutEndpoint, request: FastifyRequest): WireRequest {
  const received = receivedBody(request);
  const header = (name: string) => request.headers[name]?.toString();
  return {
    received,
    covered: endpoint.cover(received.fields),
    xMerchant: header('x-merchant'),
    xSign: header('x-sign'),
    clientAddress: request.ip,
  };
}

interface AnsweredRequest {
  readonly answer: EndpointReply;
  /** The key that signed the request. It also signs the reply. */
  readonly key: Secret;
}

async function answerAuthentic(
  endpoint: PayoutEndpoint,
  request: AuthenticRequest,
): Promise<Result<AnsweredRequest, Refused<PayoutRefusal>>> {
  const answer = await endpoint.answer(request);
  if (!answer.ok) return fail({ refusal: answer.error, merchant: request.merchant });
  return ok({ answer: answer.value, key: request.key.secret });
}

function sendSigned(reply: FastifyReply, { answer, key }: AnsweredRequest): FastifyReply {
  return answer.kind === 'signed'
    ? sendJson(reply, 200, signReply(answer.fields, key))
    : sendSignedJson(reply, answer.rows, key);
}
