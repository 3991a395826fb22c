/**
 * GET and POST /payment/form/{token}: the payer's page and the payer's actions. A GET contacts no provider and has no effect.
 * A POST is accepted only from a page of ours that showed the current state. Any other POST gets the current page, so a
 * replay, a double click, the back button and a second tab have no effect.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../domain/payments/form-session.ts';
import { parseForm, queryOf, readLoosely } from '../../http/form-body.ts';
import { type BackgroundAttempts, createBackgroundAttempts, onward, performPayerAct } from '../acts/payer-acts.ts';
import { type PostedFields, readBrowser, readDetails, shownHolder } from '../acts/read-payer.ts';
import { type FormPages, withLanguage } from '../form-pages.ts';
import { FORM_PATH, type FormParts, factsOf, findVisit, type Visit } from '../form-visit.ts';
import { acceptedLanguage, readLanguage } from '../languages/languages.ts';
import type { PageView } from '../pages/page-view.ts';
import { isCsrfToken } from '../view/form-secrets.ts';
import { type PageChoice, readChoice } from '../view/page-choice.ts';
import { viewOf } from '../view/payment-view.ts';
import { shopOf, versionOf } from '../view/view-facts.ts';

export type PageRequest = FastifyRequest<{ Params: { token: string } }>;

export function pageRoutes(scope: FastifyInstance, parts: FormParts, pages: FormPages): void {
  const tries = createBackgroundAttempts(parts.payments.clock, (error) => parts.onInternalError(error, FORM_PATH));
  scope.addHook('onClose', () => tries.drain());
  scope.get(`${FORM_PATH}/:token`, async (request: PageRequest, reply) => {
    const choice = readChoice(readLoosely(queryOf(request)));
    const visit = await findVisit(parts, request.params.token);
    if (!visit) return showNoPage(pages, request, reply, choice);
    return pages.show(reply, visit, choice, viewOf(factsOf(parts, visit, choice)));
  });
  scope.post(`${FORM_PATH}/:token`, async (request: PageRequest, reply) => {
    const text = String(request.body ?? '');
    const posted: PostedFields = text === '' ? new Map() : parseForm(text);
    const asked = readChoice(readLoosely(queryOf(request)));
    const visit = await findVisit(parts, request.params.token);
    if (!visit) return showNoPage(pages, request, reply, asked);
    const choice = inLanguageOf(asked, posted, visit.record.session.language);
    return handlePost(parts, pages, tries, { visit, choice, posted, request }, reply);
  });
}

export function showNoPage(
  pages: FormPages,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { language = acceptedLanguage(headers['accept-language']) }: PageChoice,
): FastifyReply {
  const view = { kind: 'problem', problem: 'not_found', shopUrl: null } as const;
  return pages.showPlain(reply, view, { language, merchant: undefined });
}

/** The posted page states the language that it was in. */
function inLanguageOf(choice: PageChoice, posted: PostedFields, asked: Language): PageChoice {
  const language = readLanguage(posted.get('lang') ?? '') ?? choice.language ?? asked;
  return withLanguage(choice, language, asked);
}

interface PagePost {
  readonly visit: Visit;
  readonly choice: PageChoice;
  readonly posted: PostedFields;
  readonly request: PageRequest;
}

async function handlePost(
  parts: FormParts,
  pages: FormPages,
  tries: BackgroundAttempts,
  { visit, choice, posted, request }: PagePost,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, record, merchant } = visit;
  if (!isCsrfToken(parts, token, posted.get('csrf') ?? '')) {
    const view: PageView = { kind: 'problem', problem: 'out_of_date', shopUrl: shopOf(record, merchant) };
    return pages.show(reply, visit, onward(choice), view);
  }
  const facts = factsOf(parts, visit, choice);
  if (posted.get('version') !== versionOf(record, facts.now)) return pages.goTo(reply, token, onward(choice));
  const other = readLanguage(posted.get('switch_to') ?? '');
  if (other !== undefined)
    return showInLanguage(pages, { visit, choice, posted, request }, other, viewOf(facts), reply);
  const requester = { ip: request.ip, browser: readBrowser(request.headers, posted) };
  const act = { parts, visit, facts, view: viewOf(facts), posted, requester, tries };
  const answer = await performPayerAct(posted.get('act') ?? '', act);
  if (answer.kind === 'go') return pages.goTo(reply, token, answer.choice);
  return pages.show(reply, visit, answer.choice, answer.view, answer.status);
}

/** Shows the same page with the values that the payer has typed. It does nothing else, and never repeats a secret. */
function showInLanguage(
  pages: FormPages,
  { visit, choice, posted }: PagePost,
  language: Language,
  view: PageView,
  reply: FastifyReply,
): FastifyReply {
  const { record, merchant, token } = visit;
  const inOther = withLanguage(choice, language, record.session.language);
  if (view.kind !== 'card' && view.kind !== 'details') return pages.goTo(reply, token, inOther);
  const { shown } = readDetails(view.details.fields, posted, merchant.settings);
  const details = { ...shown, errors: {} };
  if (view.kind === 'details') return pages.show(reply, visit, inOther, { ...view, details });
  const asksAgain = isAnyTyped(posted, SECRET_FIELDS);
  return pages.show(reply, visit, inOther, { ...view, details, holder: shownHolder(posted), asksAgain });
}

const SECRET_FIELDS = ['card_number', 'card_expiry', 'card_cvv', 'had_secrets'];

function isAnyTyped(posted: PostedFields, names: readonly string[]): boolean {
  return names.some((name) => (posted.get(name) ?? '') !== '');
}
