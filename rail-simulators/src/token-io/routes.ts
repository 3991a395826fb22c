/** The endpoints of Token.io's API, as a table, with the response of each. Every request must be signed. */
import { ok } from '../kernel/book-page.ts';
import { parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import { BANKS, type Bank } from './banks.ts';
import type { Book } from './book.ts';
import {
  BANK_FEATURE_NOT_SUPPORTED,
  errorAnswer,
  INTERNAL,
  invalid,
  malformed,
  missing,
  notFound,
  type Refusal,
  UNAUTHORIZED,
  UNAVAILABLE,
} from './errors.ts';
import type { Faults } from './faults.ts';
import type { TokenIo } from './processing.ts';
import { readInitiation, readRefund } from './requests.ts';
import { type Client, isClients } from './signature.ts';
import { bankView, paymentView, refundView, type ShownParts, transactionView } from './views.ts';

export interface ApiParts extends ShownParts {
  readonly tokenIo: TokenIo;
  readonly book: Book;
  readonly client: Client;
  readonly faults: Readonly<Faults>;
  readonly now: () => number;
}

export function apiRoutes(parts: ApiParts): readonly Route[] {
  const at = (verb: Route['verb'], path: string, answer: Route['answer']): Route => ({
    verb,
    path,
    answer: (request) => (isSigned(parts, verb, path, request) ? answer(request) : errorAnswer({ ...UNAUTHORIZED })),
  });
  return [
    at('POST', '/v2/payments', ({ body }) => initiate(parts, parseJson(body))),
    at('GET', '/v2/payments', ({ query }) => listPayments(parts, query)),
    at('GET', '/v2/payments/', ({ rest }) => showPayment(parts, rest)),
    at('DELETE', '/v2/payments/', ({ rest }) => cancel(parts, rest)),
    at('POST', '/refunds', ({ body }) => refund(parts, parseJson(body))),
    at('GET', '/refunds', ({ query }) => listRefunds(parts, query)),
    at('GET', '/refunds/', ({ rest }) => showRefund(parts, rest)),
    at('GET', '/virtual-accounts/*/transactions', ({ segments, query }) => listCredits(parts, segments[0], query)),
    at('GET', '/v2/banks', ({ query }) => listBanks(query)),
  ];
}

function isSigned({ client, now }: ApiParts, method: string, path: string, request: ProviderRequest): boolean {
  const { headers, query, body, rest, segments } = request;
  let place = 0;
  const asked = path.replaceAll('*', () => segments[place++] ?? '') + rest;
  const sent = { method, host: headers.host ?? '', path: asked, query, body };
  return isClients(headers.authorization ?? '', sent, client, now());
}

type Made = { readonly body: object } | { readonly refusal: Refusal };

async function initiate(parts: ApiParts, body: unknown): Promise<Reply> {
  const read = readInitiation(body, parts.account);
  if ('refusal' in read) return errorAnswer(read.refusal);
  const { payments: mode } = parts.faults;
  if (mode === 'refuse_bank') return errorAnswer(BANK_FEATURE_NOT_SUPPORTED);
  return carryOut(mode, async () => {
    const made = await parts.tokenIo.initiate(read.order);
    return 'refusal' in made ? made : { body: { payment: paymentView(made, parts) } };
  });
}

async function refund(parts: ApiParts, body: unknown): Promise<Reply> {
  const read = readRefund(body);
  if ('refusal' in read) return errorAnswer(read.refusal);
  return carryOut(parts.faults.refunds, async () => {
    const made = await parts.tokenIo.refund(read.order);
    return 'refusal' in made ? made : { body: { refund: refundView(made, parts.memberId) } };
  });
}

async function carryOut(mode: Faults['payments'], work: () => Promise<Made>): Promise<Reply> {
  if (mode === 'lose') return 'never';
  if (mode === 'refuse') return errorAnswer(invalid('initiation.amount.value'));
  if (mode === 'refuse_503') return errorAnswer(UNAVAILABLE);
  if (mode === 'error_200') return { ...errorAnswer(INTERNAL), status: 200 };
  const made = await work();
  if (mode === 'accept_unanswered') return 'never';
  if (mode === 'accept_500') return errorAnswer(INTERNAL);
  return 'refusal' in made ? errorAnswer(made.refusal) : { status: 200, body: made.body };
}

function showPayment(parts: ApiParts, id: string): Reply {
  const payment = parts.book.latest(id);
  if (payment === undefined) return errorAnswer(notFound('The payment'));
  return ok({ payment: paymentView(payment, parts) });
}

async function cancel(parts: ApiParts, id: string): Promise<Reply> {
  const done = await parts.tokenIo.cancel(id);
  return 'refusal' in done ? errorAnswer(done.refusal) : ok({ payment: paymentView(done, parts) });
}

function listPayments(parts: ApiParts, query: URLSearchParams): Reply {
  const limit = limitOf(query);
  if (typeof limit !== 'number') return errorAnswer(limit);
  const wanted = [
    [query.getAll('refIds'), 'refId'],
    [query.getAll('ids'), 'id'],
    [query.getAll('statuses'), 'status'],
  ] as const;
  const found = parts.book
    .all()
    .filter((payment) => wanted.every(([values, name]) => values.length === 0 || values.includes(payment[name])));
  const payments = found.slice(0, limit).map((payment) => paymentView(payment, parts));
  return ok({ payments, pageInfo: { limit, offset: '', haveMore: found.length > limit } });
}

function listRefunds({ book, memberId }: ApiParts, query: URLSearchParams): Reply {
  const limit = limitOf(query);
  if (typeof limit !== 'number') return errorAnswer(limit);
  const refIds = query.getAll('refIds');
  const found = book.refunds().filter(({ refId }) => refIds.length === 0 || refIds.includes(refId));
  const refunds = found.slice(0, limit).map((each) => refundView(each, memberId));
  return ok({ refunds, paging: { limit, offset: '' } });
}

function showRefund({ book, memberId }: ApiParts, id: string): Reply {
  const found = book.refund(id);
  return found === undefined ? errorAnswer(notFound('The refund')) : ok({ refund: refundView(found, memberId) });
}

function listCredits({ book, account }: ApiParts, accountId: string | undefined, query: URLSearchParams): Reply {
  if (accountId !== account.id) return errorAnswer(notFound('The account'));
  const [limit, refId, type] = [limitOf(query), query.get('refId') ?? '', query.get('transactionType') ?? 'CREDIT'];
  if (typeof limit !== 'number') return errorAnswer(limit);
  const found = type === 'CREDIT' ? book.credits().filter(({ reference }) => reference.includes(refId)) : [];
  const transactions = found.slice(0, limit).map(transactionView);
  return ok({ transactions, pageInfo: { limit, offset: '', haveMore: found.length > limit } });
}

function limitOf(query: URLSearchParams): number | Refusal {
  const text = query.get('limit');
  if (text === null) return missing('limit');
  const limit = Number(text);
  return Number.isSafeInteger(limit) && limit >= 1 ? Math.min(limit, 200) : malformed('limit');
}

const MOST_PER_PAGE = 200;
const SORTS: Readonly<Record<string, (bank: Bank) => string>> = {
  NAME: ({ name }) => name,
  COUNTRY: ({ countries, name }) => `${countries[0]} ${name}`,
};

function listBanks(query: URLSearchParams): Reply {
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('perPage') ?? MOST_PER_PAGE)];
  if (!Number.isSafeInteger(page) || page < 1) return errorAnswer(malformed('page'));
  if (!Number.isSafeInteger(perPage) || perPage < 1) return errorAnswer(malformed('perPage'));
  const by = SORTS[query.get('sort') ?? 'NAME'];
  if (by === undefined) return errorAnswer(invalid('sort'));
  const found = BANKS.filter((bank) => isWanted(bank, query)).sort((a, b) => by(a).localeCompare(by(b), 'en'));
  const size = Math.min(perPage, MOST_PER_PAGE);
  const shown = found.slice((page - 1) * size, page * size).map(bankView);
  const paging = { page, perPage: size, pageCount: Math.ceil(found.length / size), totalCount: found.length };
  return ok({ banks: shown, paging });
}

function isWanted(bank: Bank, query: URLSearchParams): boolean {
  const some = (name: string, values: readonly string[]) => {
    const wanted = query.getAll(name);
    return wanted.length === 0 || wanted.some((value) => values.includes(value));
  };
  const search = (query.get('search') ?? '').toLowerCase();
  const single = query.get('supportsSinglePayment');
  return (
    some('ids', [bank.id]) &&
    some('countries', bank.countries) &&
    some('supportedLocalInstruments', bank.instruments) &&
    (single === null || String(bank.supportsSinglePayment) === single) &&
    bank.name.toLowerCase().includes(search)
  );
}
