/**
 * POST /api/v2/spei/host2host/create: a deposit by SPEI (decision 20). The gateway authenticates the bytes before it parses
 * them. The checks run in this order: X-Merchant, merchant, X-Sign, rate, suspended merchant, formats, currency, limits,
 * method, new order. The first failing check is the response.
 *
 * `fail` states that the gateway did not receive the request. It is therefore returned only if that is certain: for rejections
 * before the write (including Temporary error), and for a taken order. If the outcome of the write is unknown, this module
 * catches nothing, and the edge returns an empty 500.
 *
 * The response with the CLABE carries `X-Sign`, because a payer will pay to that CLABE. Rejections carry no signature.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { DepositRejection } from '../../domain/deposits/deposit-rejection.ts';
import type { OpenDeposit } from '../../domain/deposits/open-deposit.ts';
import { type OnProblem, orTemporaryError } from '../../domain/deposits/temporary-error.ts';
import type { MerchantKey } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import type { Clock } from '../../foundation/clock.ts';
import { isId } from '../../foundation/identifiers.ts';
import type { Random } from '../../foundation/random.ts';
import { ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import {
  type AuthenticateMerchant,
  createAuthenticateMerchant,
  createSignatureSlowdown,
  type ProvenMerchant,
  type Rejected,
  reject,
} from '../authentication/authenticate-merchant.ts';
import { createRateLimiter, type DefaultRates, type EndpointRate, rejectByRate } from '../authentication/rate-limit.ts';
import { type NoteRequest, observeRequests } from '../http/observe-requests.ts';
import { acceptRawJson, readJsonBody, receivedBytes } from '../http/received-body.ts';
import { rejectionStatus, rejectionText, retryAfterHeader } from '../http/rejection-answer.ts';
import { sendJson, sendSignedJson } from '../http/send-json.ts';
import { verifyXSign } from '../signatures/merchant-signature.ts';
import { depositCreated, depositFailure } from './deposit-reply.ts';
import { readDepositRequest } from './read-deposit-request.ts';
import { DEPOSIT_REJECTION_ANSWERS } from './rejection-answers.ts';

export interface HostToHostParts {
  readonly directory: MerchantDirectory;
  readonly openDeposit: OpenDeposit;
  readonly clock: Clock;
  readonly random: Random;
  readonly defaultRates: Pick<DefaultRates, 'host2host_rate_limit'>;
  /** Receives each rejection. The merchant's id is empty if no such merchant exists. */
  readonly onRejected: (merchantId: string, rejection: DepositRejection) => void;
  /** If undefined, the gateway logs no requests. */
  readonly requestLog?: RequestLog | undefined;
  /** Receives the cause of a temporary error. */
  readonly onProblem: OnProblem;
}

export const CREATE_DEPOSIT_PATH = '/api/v2/spei/host2host/create';

/** Returns a fastify plug-in: `app.register(hostToHostRoutes(parts))`. */
export function hostToHostRoutes(parts: HostToHostParts): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    acceptRawJson(scope);
    const authenticateMerchant = createAuthenticateMerchant({
      ...parts,
      slowdown: createSignatureSlowdown(parts.clock),
    });
    const setting = 'host2host_rate_limit';
    const limiter = createRateLimiter(parts.clock);
    const rate = { setting, defaultPerSecond: parts.defaultRates[setting], limiter } as const;
    const note = observeRequests(scope, parts, { [CREATE_DEPOSIT_PATH]: 'host2host' });
    scope.post(CREATE_DEPOSIT_PATH, async (request, reply) => {
      const raw = receivedBytes(request);
      const admitted = await admit(parts, authenticateMerchant, rate, request, raw);
      const created = admitted.ok ? await create(parts.openDeposit, admitted.value, raw) : admitted;
      noteCreate(note, request, raw, created, admitted.ok);
      if (!created.ok) return answerRejected(parts, reply, created.error);
      const { deposit, key } = created.value;
      return sendSignedJson(reply, depositCreated(deposit), key.secret);
    });
  };
}

/** Runs every check that precedes the parsing of the body. */
async function admit(
  { onProblem }: HostToHostParts,
  authenticateMerchant: AuthenticateMerchant,
  rate: EndpointRate,
  request: FastifyRequest,
  raw: Buffer,
): Promise<Result<ProvenMerchant, Rejected<DepositRejection>>> {
  const merchantId = headerOf(request, 'x-merchant');
  const sign = headerOf(request, 'x-sign');
  if (!isId(merchantId)) return reject({ kind: 'invalid_field', field: 'X-Merchant' });
  const claim = {
    merchantId,
    clientAddress: request.ip,
    isSignedWith: (key: Secret) => verifyXSign(raw, key, sign),
  };
  const looked = await orTemporaryError(() => authenticateMerchant(claim), onProblem);
  if (!looked.ok) return reject(looked.error);
  if (!looked.value.ok) return looked.value;
  const { merchant } = looked.value.value;
  const tooMany = rejectByRate(merchant, rate);
  if (tooMany) return reject(tooMany, merchant);
  return merchant.state === 'suspended' ? reject({ kind: 'merchant_disabled' }, merchant) : looked.value;
}

/** `key` signed the request. It also signs the response. */
interface CreatedDeposit {
  readonly deposit: Deposit;
  readonly key: MerchantKey;
}

/** Throws MalformedBody and every exception of `openDeposit`. */
async function create(
  openDeposit: OpenDeposit,
  { merchant, key }: ProvenMerchant,
  raw: Buffer,
): Promise<Result<CreatedDeposit, Rejected<DepositRejection>>> {
  const asked = readDepositRequest(readJsonBody(raw), merchant);
  const opened = asked.ok ? await openDeposit(asked.value) : asked;
  return opened.ok ? ok({ deposit: opened.value, key }) : reject(opened.error, merchant);
}

/** The order of a rejected request was not parsed. Only the bytes contain it. */
function noteCreate(
  note: NoteRequest,
  request: FastifyRequest,
  raw: Buffer,
  created: Result<CreatedDeposit, Rejected<DepositRejection>>,
  isProven: boolean,
): void {
  if (created.ok) {
    const { merchantId, orderId } = created.value.deposit;
    const decision = { merchantId, outcome: 'accepted', reason: '', description: '' } as const;
    note(request, decision, () => ({ request: raw, subjectId: orderId }));
    return;
  }
  const { rejection, merchant } = created.error;
  const description = rejectionText(DEPOSIT_REJECTION_ANSWERS, rejection);
  const outcome = isProven ? 'rejected' : 'unproven';
  const decision = { merchantId: merchant?.merchantId ?? '', outcome, reason: rejection.kind, description } as const;
  note(request, decision, () => ({ request: raw, subjectId: isProven ? readJsonBody(raw).get('order') : null }));
}

/** Returns '' if the header is missing. */
function headerOf(request: FastifyRequest, name: string): string {
  return request.headers[name]?.toString() ?? '';
}

function answerRejected(
  { onRejected }: HostToHostParts,
  reply: FastifyReply,
  { rejection, merchant }: Rejected<DepositRejection>,
): FastifyReply {
  onRejected(merchant?.merchantId ?? '', rejection);
  const status = rejectionStatus(DEPOSIT_REJECTION_ANSWERS, rejection, merchant?.settings.strict_http_codes === 'on');
  return sendJson(
    reply.headers(retryAfterHeader(rejection)),
    status,
    depositFailure(rejectionText(DEPOSIT_REJECTION_ANSWERS, rejection)),
  );
}
