/** Adyen's endpoints for transfers, as a table, with the response of each. */

import { createHash } from 'node:crypto';
import { DAY_MS } from '../clock.ts';
import { ok } from '../kernel/book-page.ts';
import { asFields, parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Transfers, TransfersWorks } from './processing.ts';
import { type InvalidField, isRequest, readTransfer, type TransferRequest } from './requests.ts';
import { answerView, balanceAccountView, dataView } from './views.ts';

interface ServedParts extends Pick<TransfersWorks, 'book' | 'faults'> {
  readonly transfers: Transfers;
  readonly account: { readonly apiKey: string; readonly balanceAccount: string };
}

const BALANCES = '/bcl/v2/balanceAccounts/';

const BASE = '/btl/v4';

export function transferRoutes(parts: ServedParts): readonly Route[] {
  const get = (path: string, work: (request: ProviderRequest) => Reply): Route => ({
    verb: 'GET',
    path,
    answer: (request) => known(parts, request, () => work(request)),
  });
  return [
    { verb: 'POST', path: `${BASE}/transfers`, answer: (request) => withFaults(parts, request) },
    get(`${BASE}/transfers`, ({ query }) => list(parts, query)),
    get(`${BASE}/transfers/`, ({ rest }) => show(parts, rest)),
    get(BALANCES, ({ rest }) => showBalances(parts, rest)),
  ];
}

/** Checks only the key, not the client's address or roles. */
async function known(
  { account, faults }: ServedParts,
  { headers }: ProviderRequest,
  work: () => Promise<Reply> | Reply,
): Promise<Reply> {
  if (headers['x-api-key'] !== account.apiKey) {
    const body = {
      status: 401,
      errorCode: '000',
      message: 'HTTP Status Response - Unauthorized',
      errorType: 'security',
    };
    return { status: 401, body };
  }
  return faults.answers === 'forbidden' ? problem(403, 'forbidden', 'The API credential lacks a role') : work();
}

function problem(status: number, errorCode: string, detail: string, invalidFields?: readonly InvalidField[]): Reply {
  const kind = invalidFields === undefined ? 'general' : 'validation';
  const type = `https://docs.adyen.com/errors/${kind}`;
  const title = 'The request was not carried out';
  return { status, body: { type, title, status, detail, errorCode, ...(invalidFields && { invalidFields }) } };
}

/** Applies the faults to a valid request: whether it is processed, and whether it gets a response. */
async function withFaults(parts: ServedParts, request: ProviderRequest): Promise<Reply> {
  const read = readTransfer(asFields(parseJson(request.body)), parts.account.balanceAccount);
  const { answers } = faultsOf(parts.faults, isRequest(read) ? read.value : '');
  if (answers === 'lose') return 'never';
  const reply = await known(parts, request, () => submit(parts, request, read));
  if (answers === 'accept_unanswered') return 'never';
  return answers === 'accept_500' ? problem(500, 'internal', 'The server could not process the request') : reply;
}

const LONGEST_KEY = 64;

async function submit(
  { transfers, book, account, faults }: ServedParts,
  request: ProviderRequest,
  read: TransferRequest | readonly InvalidField[],
): Promise<Reply> {
  const key = request.headers['idempotency-key'];
  const idempotencyKey = typeof key === 'string' ? key : '';
  if (idempotencyKey.length > LONGEST_KEY) return problem(422, 'validation', 'The Idempotency-Key is too long');
  if (faults.answers === 'at_work') return problem(422, '704', 'The request is already processed or in progress');
  const requestDigest = createHash('sha256').update(request.body).digest('hex');
  const before = book.ofKey(idempotencyKey);
  if (before !== undefined) {
    const isSame = before.requestDigest === requestDigest;
    const answered = book.asAnswered(before.id) ?? before;
    return isSame
      ? accepted(answered, account)
      : problem(422, '704', 'The Idempotency-Key was used for another request');
  }
  if (!isRequest(read)) return problem(422, 'validation', 'A field is missing or not valid', read);
  return accepted(await transfers.accept(read, { idempotencyKey, requestDigest }), account);
}

/** The status is always 202. */
function accepted(entry: BookEntry, { balanceAccount }: ServedParts['account']): Reply {
  return { status: 202, body: answerView(entry, balanceAccount) };
}

function show({ book, account }: ServedParts, id: string): Reply {
  const found = book.latest(id);
  return found === undefined
    ? problem(422, 'validation', 'There is no such transfer', [{ name: 'id', message: 'unknown' }])
    : ok(dataView(found, account.balanceAccount));
}

function showBalances({ book, account, faults }: ServedParts, id: string): Reply {
  return id === account.balanceAccount
    ? ok(balanceAccountView(book.all(), id, faults.funds === 'enough'))
    : problem(422, 'validation', 'There is no such balance account', [{ name: 'id', message: 'unknown' }]);
}

const LONGEST_SPAN_MS = 184 * DAY_MS;
const MOST_ON_PAGE = 100;

function list({ book, account, faults }: ServedParts, query: URLSearchParams): Reply {
  const [since, until] = ['createdSince', 'createdUntil'].map((name) => Date.parse(query.get(name) ?? ''));
  const limit = Number(query.get('limit') ?? 10);
  const skipped = Number(query.get('cursor') ?? 0);
  const wrong = [
    ['createdSince', Number.isFinite(since)],
    ['createdUntil', Number.isFinite(until) && Number(until) - Number(since) <= LONGEST_SPAN_MS],
    ['balanceAccountId', query.get('balanceAccountId') === account.balanceAccount],
    ['limit', Number.isInteger(limit) && limit >= 1 && limit <= MOST_ON_PAGE],
    ['cursor', Number.isSafeInteger(skipped) && skipped >= 0],
  ].flatMap(([name, holds]) => (holds ? [] : [{ name: String(name), message: 'The value is missing or not valid' }]));
  if (wrong.length > 0) return problem(422, 'validation', 'A parameter is missing or not valid', wrong);
  const reference = query.get('reference');
  const found = book.all().filter((entry) => {
    const at = Date.parse(entry.createdAt);
    return at >= Number(since) && at <= Number(until) && (reference === null || entry.reference === reference);
  });
  const sorted = query.get('sortOrder') === 'desc' ? found.toReversed() : found;
  const page = faults.lists === 'not_yet' ? [] : sorted.slice(skipped, skipped + limit);
  const next = new URLSearchParams([...query].filter(([name]) => name !== 'cursor'));
  next.set('cursor', String(skipped + limit));
  const hasMore = page.length > 0 && sorted.length > skipped + limit;
  return ok({
    data: page.map((entry) => dataView(entry, account.balanceAccount)),
    _links: hasMore ? { next: { href: `https://balanceplatform-api.simulated${BASE}/transfers?${next}` } } : {},
  });
}
