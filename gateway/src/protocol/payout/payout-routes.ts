/**
 * The payout family over HTTP: parses the bytes, authenticates the request, calls the endpoint and writes the response.
 * rejection-answers.ts turns rejections into messages and statuses. This file must not decide anything about payouts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DepositStore } from '../../domain/deposits/deposit-store.ts';
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { AcceptPayout } from '../../domain/payouts/accept-payout.ts';
import type { IsListed } from '../../domain/payouts/forgotten-payouts.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { PayoutStore } from '../../domain/payouts/payout-store.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import { createSignatureSlowdown, type Rejected } from '../authentication/authenticate-merchant.ts';
import { createRateLimiter, type DefaultRates, type EndpointRate } from '../authentication/rate-limit.ts';
import { type NotedBytes, type NoteRequest, observeRequests } from '../http/observe-requests.ts';
import { acceptSignedBodies, receivedBody } from '../http/received-body.ts';
import { rejectionStatus, rejectionText, retryAfterHeader } from '../http/rejection-answer.ts';
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
import { REJECTION_ANSWERS } from './rejection-answers.ts';

export interface PayoutWireParts {
  readonly directory: MerchantDirectory;
  readonly acceptPayout: AcceptPayout;
  readonly payouts: Pick<PayoutStore, 'find' | 'list'>;
  readonly deposits: Pick<DepositStore, 'list'>;
  readonly ledger: Pick<LedgerStore, 'balances'>;
  readonly recovery: ReadRecovery;
  readonly isListed: IsListed;
  readonly clock: Clock;
  readonly random: Random;
  readonly defaultRates: Pick<DefaultRates, PayoutRateSetting>;
  /** If undefined, the gateway logs no requests. */
  readonly requestLog?: RequestLog | undefined;
  /** Receives each rejection. The merchant's id is empty if no such merchant exists. */
  readonly onRejected: (merchantId: string, rejection: PayoutRejection) => void;
}

/** Returns a fastify plug-in: `app.register(payoutRoutes(parts))`. */
export function payoutRoutes(parts: PayoutWireParts): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    acceptSignedBodies(scope);
    const authenticate = createAuthenticate({ ...parts, slowdown: createSignatureSlowdown(parts.clock) });
    const limiters = {
      payout_rate_limit: createRateLimiter(parts.clock),
      status_rate_limit: createRateLimiter(parts.clock),
    };
    const endpoints = endpointsOf(parts);
    const note = observeRequests(scope, parts, Object.fromEntries(endpoints.map(({ path, name }) => [path, name])));
    for (const endpoint of endpoints) {
      const setting = endpoint.rateSetting;
      const rate = { setting, defaultPerSecond: parts.defaultRates[setting], limiter: limiters[setting] };
      scope.post(endpoint.path, (request, reply) =>
        serve({ endpoint, rate, authenticate, onRejected: parts.onRejected, note }, request, reply),
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
  isListed,
}: PayoutWireParts): readonly PayoutEndpoint[] {
  return [
    createPayoutSend(acceptPayout, clock),
    createPayoutStatus({ payouts, recovery, isListed }),
    createPaymentBalance(ledger),
    createPaymentList(payouts, deposits, clock, recovery),
  ];
}

interface Served extends Pick<PayoutWireParts, 'onRejected'> {
  readonly endpoint: PayoutEndpoint;
  readonly rate: EndpointRate;
  readonly authenticate: Authenticate;
  readonly note: NoteRequest;
}

async function serve(
  { endpoint, rate, authenticate, onRejected, note }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const authentic = await authenticate(readWireRequest(endpoint, request), rate);
  const answer = authentic.ok ? await answerAuthentic(endpoint, authentic.value) : authentic;
  if (answer.ok) {
    const { merchantId } = answer.value.merchant;
    note(request, { merchantId, outcome: 'accepted', reason: '', description: '' }, () => bytesOf(endpoint, request));
    return sendSigned(reply, answer.value);
  }

  const { rejection, merchant } = answer.error;
  const merchantId = merchant?.merchantId ?? '';
  onRejected(merchantId, rejection);
  const description = rejectionText(REJECTION_ANSWERS, rejection);
  const outcome = authentic.ok ? 'rejected' : 'unproven';
  note(request, { merchantId, outcome, reason: rejection.kind, description }, () => bytesOf(endpoint, request));
  reply.headers(retryAfterHeader(rejection));
  const status = rejectionStatus(REJECTION_ANSWERS, rejection, merchant?.settings.strict_http_codes === 'on');
  return sendJson(reply, status, payoutErrorReply(description));
}

/** Returns the parts that the request log keeps. A list may name one order; 0 means all of them. */
function bytesOf({ name }: PayoutEndpoint, request: FastifyRequest): NotedBytes {
  const { raw, fields } = receivedBody(request);
  const order = fields.get('order');
  return { request: raw, subjectId: name === 'list' ? order !== '0' && order : fields.get('payout_id') };
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
  readonly merchant: Merchant;
  readonly answer: EndpointReply;
  /** The key that signed the request. It also signs the response. */
  readonly key: Secret;
}

async function answerAuthentic(
  endpoint: PayoutEndpoint,
  request: AuthenticRequest,
): Promise<Result<AnsweredRequest, Rejected<PayoutRejection>>> {
  const answer = await endpoint.answer(request);
  if (!answer.ok) return fail({ rejection: answer.error, merchant: request.merchant });
  return ok({ answer: answer.value, merchant: request.merchant, key: request.key.secret });
}

function sendSigned(reply: FastifyReply, { answer, key }: AnsweredRequest): FastifyReply {
  return answer.kind === 'signed'
    ? sendJson(reply, 200, signReply(answer.fields, key))
    : sendSignedJson(reply, answer.rows, key);
}
