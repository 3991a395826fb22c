/**
 * GET and POST /payment/form/{token}/return/{attempt}-{secret}: the URL to which banks send the payer back, by a link or a
 * form, inside our frame or outside it. The secret replaces a CSRF token, which a bank could not send. The payer's fields
 * prove nothing by themselves; the rail verifies them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleReturn } from '../../../domain/payments/attempts/handle-return.ts';
import type { PaymentAttempt } from '../../../domain/payments/attempts/payment-attempt.ts';
import type { PayerStep } from '../../../domain/payments/payment-rail.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { addressKey } from '../../authentication/client-address.ts';
import { createRateLimiter, type RateLimiter } from '../../authentication/rate-limit.ts';
import { queryOf, readLoosely } from '../../http/form-body.ts';
import { actingPayer, readBrowser } from '../acts/read-payer.ts';
import { type FormPages, pageUrl, withLanguage } from '../form-pages.ts';
import { FORM_PATH, type FormParts, findVisit, type Visit } from '../form-visit.ts';
import { readLanguage } from '../languages/languages.ts';
import { isReturnSecret } from '../view/form-secrets.ts';
import type { PageChoice } from '../view/page-choice.ts';
import { showNoPage } from './page-routes.ts';

type ReturnRequest = FastifyRequest<{ Params: { token: string; proof: string } }>;

export function returnRoutes(scope: FastifyInstance, parts: FormParts, pages: FormPages): void {
  const limiter = createRateLimiter(parts.payments.clock, MINUTE_MS);
  scope.route({
    method: ['GET', 'POST'],
    url: `${FORM_PATH}/:token/return/:proof`,
    handler: async (request: ReturnRequest, reply: FastifyReply) => {
      const query = readLoosely(queryOf(request));
      const visit = await findVisit(parts, request.params.token);
      const attempt = visit && provenAttempt(parts, visit, request.params.proof);
      if (!visit || !attempt) return showNoPage(pages, request, reply, {});
      const { language } = visit.record.session;
      const choice = withLanguage({}, readLanguage(query.get('lang') ?? '') ?? language, language);
      if (isWithinRate(parts, limiter, visit, attempt, request)) await comeBack(parts, visit, attempt, choice, request);
      if (!isInOurFrame(request, attempt.step)) return pages.goTo(reply, visit.token, choice);
      const view = { kind: 'frame_return', pageUrl: pageUrl(parts, visit.token, choice) } as const;
      return pages.showPlain(reply, view, { language: choice.language ?? language, merchant: visit.merchant });
    },
  });
}

/**
 * Each return causes a call to the provider, so the limit is the same as for opening forms: per address and per
 * attempt. Above it, the payer only sees their page, and the worker queries the provider later.
 */
function isWithinRate(
  { defaultFormRate }: FormParts,
  limiter: RateLimiter,
  { merchant: { merchantId, settings } }: Visit,
  { reference }: PaymentAttempt,
  { ip }: ReturnRequest,
): boolean {
  const limit = settings.form_rate_limit ?? defaultFormRate;
  const waits = [`${merchantId} ${addressKey(ip)}`, reference].map((key) => limiter.take(key, limit));
  return waits.every((wait) => wait === 0);
}

function provenAttempt(parts: FormParts, { token, record }: Visit, proof: string): PaymentAttempt | undefined {
  const [, number, secret = ''] = /^([1-9]\d?)-(.+)$/.exec(proof) ?? [];
  const attempt = record.attempts.find((each) => String(each.attempt) === number);
  return attempt && isReturnSecret(parts, token, attempt.reference, secret) ? attempt : undefined;
}

async function comeBack(
  parts: FormParts,
  visit: Visit,
  attempt: PaymentAttempt,
  choice: PageChoice,
  request: ReturnRequest,
): Promise<void> {
  const { deposit } = visit.record;
  invariant(deposit, 'attempt has no deposit');
  const requester = { ip: request.ip, browser: readBrowser(request.headers, new Map()) };
  const payer = actingPayer(parts, visit, choice, requester);
  await handleReturn(parts.payments, attempt, deposit, payer, { fields: returnedFields(request) });
}

const MOST_FIELDS = 50;
const NAME = /^[\w.-]{1,64}$/;

/** Accepts any encoding, because banks differ. If a name occurs twice, returns its first value. */
function returnedFields(request: ReturnRequest): Readonly<Record<string, string>> {
  const sent = [...readLoosely(queryOf(request)), ...readLoosely(String(request.body ?? ''))];
  const named = sent.filter(([name]) => NAME.test(name) && name !== '__proto__').slice(0, MOST_FIELDS);
  return Object.fromEntries(named.reverse());
}

/**
 * Browsers state the destination in a header. Without it, the payer's step is the best guess, and the page has a link
 * for the other case.
 */
function isInOurFrame({ headers }: ReturnRequest, step: PayerStep | null): boolean {
  const destination = headers['sec-fetch-dest'];
  if (typeof destination === 'string') return destination === 'iframe' || destination === 'frame';
  return step?.kind === 'frame' || step?.kind === 'post';
}
