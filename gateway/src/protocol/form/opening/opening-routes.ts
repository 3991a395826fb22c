/**
 * GET and POST /payment/form: the merchant's link. The checks run in this order: parameters, merchant, rate, signature,
 * fields, payment type. The first failing check decides the page. A valid request is stored with a token, so its parameters
 * leave the URL (decision 45).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant, MerchantWithKeys } from '../../../domain/merchants/merchant.ts';
import { createToken, hashOfToken, isToken, type Language } from '../../../domain/payments/form-session.ts';
import { openForm } from '../../../domain/payments/sessions/open-form.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import type { Environment } from '../../../foundation/environment.ts';
import type { Random } from '../../../foundation/random.ts';
import { fail, type Result } from '../../../foundation/result.ts';
import { createSignatureSlowdown, type SignatureSlowdown } from '../../authentication/authenticate-merchant.ts';
import { addressKey } from '../../authentication/client-address.ts';
import { createRateLimiter, type RateLimiter, type TooManyRequests } from '../../authentication/rate-limit.ts';
import { parseForm, parseQuery, queryOf } from '../../http/form-body.ts';
import { MalformedBody } from '../../http/json-body.ts';
import { type NoteRequest, observeRequests } from '../../http/observe-requests.ts';
import { retryAfterHeader } from '../../http/rejection-answer.ts';
import type { FormPages } from '../form-pages.ts';
import { FORM_PATH, type FormParts } from '../form-visit.ts';
import { acceptedLanguage } from '../languages/languages.ts';
import type { PlainView } from '../pages/page-view.ts';
import type { FormRejection } from '../request/form-fields.ts';
import {
  checkFormSignature,
  decodingRejection,
  type FormParameters,
  type FormRequest,
  formLanguage,
  readFormRequest,
  readMerchantId,
} from '../request/read-form-request.ts';
import { shopAddress } from '../view/payer-redirect.ts';
import { rejectedView, undecodedView } from './rejected-form.ts';

/** How many forms one address may open per minute (decision 52). 0 means no limit. */
export const DEFAULT_FORM_RATE: Readonly<Record<Environment, number>> = { development: 0, production: 30 };

type OpeningRejection = FormRejection | TooManyRequests;

interface Guards {
  readonly limiter: RateLimiter;
  readonly slowdown: SignatureSlowdown;
  readonly note: NoteRequest;
}

export function openingRoutes(scope: FastifyInstance, parts: FormParts, pages: FormPages): void {
  const { clock } = parts.payments;
  const note = observeRequests(scope, { requestLog: parts.requestLog, clock }, { [FORM_PATH]: 'form' });
  const guards = { limiter: createRateLimiter(clock, MINUTE_MS), slowdown: createSignatureSlowdown(clock), note };
  const open = async (request: FastifyRequest, reply: FastifyReply, text: string, place: 'query' | 'body') => {
    const read = readParameters(text, place);
    if (!read.ok) {
      const language = acceptedLanguage(request.headers['accept-language']);
      return pages.showPlain(reply, read.error, { language, merchant: undefined });
    }
    return answer(parts, pages, guards, { parameters: read.value, request, text }, reply);
  };
  scope.get(FORM_PATH, (request, reply) => open(request, reply, queryOf(request), 'query'));
  scope.post(FORM_PATH, (request, reply) => open(request, reply, String(request.body ?? ''), 'body'));
}

function readParameters(text: string, place: 'query' | 'body'): Result<FormParameters, PlainView> {
  try {
    if (place === 'query') return { ok: true, value: parseQuery(`?${text}`) };
    return { ok: true, value: text === '' ? new Map() : parseForm(text) };
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    const rejection = decodingRejection(error);
    return fail(rejection ? rejectedView(rejection) : undecodedView(text, place));
  }
}

interface Opening {
  readonly parameters: FormParameters;
  /** The parameters as they were sent. */
  readonly text: string;
  readonly request: FastifyRequest;
}

async function answer(
  parts: FormParts,
  pages: FormPages,
  guards: Guards,
  opening: Opening,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const named = readMerchantId(opening.parameters);
  const found = named.ok ? await parts.directory.find(named.value) : undefined;
  const asked = named.ok ? await admit(parts, guards, opening, found, named.value) : named;
  noteOpening(guards.note, opening, asked, found?.merchant);
  if (asked.ok) {
    const visitorHash = knowVisitor(opening.request, reply, parts.payments.random);
    const opened = await openForm(parts.payments, { ...asked.value, visitorHash });
    if (opened !== 'paid') return pages.goTo(reply, opened.token, {});
    return alreadyPaid(pages, reply, asked.value, found?.merchant);
  }
  const { 'accept-language': acceptLanguage } = opening.request.headers;
  const language = formLanguage(opening.parameters, acceptLanguage, found?.merchant.settings);
  return reject(parts, pages, reply, asked.error, language, found?.merchant);
}

/** Responds to a payer whose browser did not pay the order, and who may not see the receipt. */
function alreadyPaid(
  pages: FormPages,
  reply: FastifyReply,
  { language, parameters }: FormRequest,
  merchant: Merchant | undefined,
): FastifyReply {
  const shopUrl = merchant ? shopAddress(parameters['payment_url'] ?? '', merchant) : null;
  return pages.showPlain(reply, { kind: 'problem', problem: 'order_already_paid', shopUrl }, { language, merchant });
}

/** Nothing proves the sender of an unsigned form, so all its rejections are unproven. */
function noteOpening(
  note: NoteRequest,
  { text, parameters, request }: Opening,
  asked: Result<FormRequest, OpeningRejection>,
  merchant: Merchant | undefined,
): void {
  const read = () => ({ request: Buffer.from(text), subjectId: parameters.get('order') });
  const merchantId = merchant?.merchantId ?? '';
  if (asked.ok) {
    note(request, { merchantId, outcome: 'accepted', reason: '', description: '' }, read);
    return;
  }
  const { kind, field = '' } = asked.error as { readonly kind: string; readonly field?: string };
  const description = `${kind.replaceAll('_', ' ')} ${field}`.trim();
  note(request, { merchantId, outcome: 'unproven', reason: kind, description }, read);
}

async function admit(
  parts: FormParts,
  { limiter, slowdown }: Guards,
  { parameters, request: { ip, headers } }: Opening,
  found: MerchantWithKeys | undefined,
  merchantId: string,
): Promise<Result<FormRequest, OpeningRejection>> {
  const limit = found?.merchant.settings.form_rate_limit ?? parts.defaultFormRate;
  const retryAfterMs = limiter.take(`${found ? merchantId : ''} ${addressKey(ip)}`, limit);
  if (retryAfterMs > 0) return fail({ kind: 'too_many_requests', retryAfterMs });
  if (!found) return fail({ kind: 'unknown_merchant', field: 'merchant' });
  const signed = checkFormSignature(parameters, found);
  if (!signed.ok) {
    const waitMs = signed.error.kind === 'wrong_signature' ? await slowdown.wrongSignature(merchantId, ip) : 0;
    return waitMs > 0 ? fail({ kind: 'too_many_requests', retryAfterMs: waitMs }) : signed;
  }
  const key = signed.value;
  if (key) {
    slowdown.rightSignature(merchantId, ip);
    parts.directory.keyUsed(merchantId, key);
  }
  const { 'accept-language': acceptLanguage } = headers;
  const requester = { merchant: found.merchant, isSigned: key !== null, acceptLanguage };
  return readFormRequest(parameters, requester, parts.payments.rails);
}

function reject(
  { onRejected }: FormParts,
  pages: FormPages,
  reply: FastifyReply,
  rejection: OpeningRejection,
  language: Language,
  merchant: Merchant | undefined,
): FastifyReply {
  onRejected(merchant?.merchantId ?? '', rejection);
  const to = { language, merchant };
  if (rejection.kind !== 'too_many_requests') return pages.showPlain(reply, rejectedView(rejection), to);
  const view = { kind: 'problem', problem: 'too_many_requests', shopUrl: null } as const;
  return pages.showPlain(reply.headers(retryAfterHeader(rejection)), view, to);
}

const NAME = '__Host-visitor';

/** Only a space may precede the name. Browsers do not protect a name that begins with other white space. */
const IN_COOKIES = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

const MAX_AGE_SECONDS = 24 * 60 * 60;

/**
 * Returns the visitor's hash. The response sets the cookie for a new visitor. A payer who opens the link of an order again
 * finds the payment that they left. The cookie reveals nothing about the payer and opens nothing by itself. The form works
 * without it: a frame on another site stores no cookies, and a form posted from there sends none.
 */
function knowVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): Buffer {
  const known = visitorOf(request.headers.cookie ?? '');
  const visitor = known ?? createToken(random);
  // Lax: browsers send it when a payer follows the shop's link, but with no other request from another site.
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
  if (known === undefined) reply.header('set-cookie', `${NAME}=${visitor}; ${attributes}`);
  return hashOfToken(visitor);
}

function visitorOf(cookies: string): string | undefined {
  const [, value = ''] = IN_COOKIES.exec(cookies) ?? [];
  return isToken(value) ? value : undefined;
}
