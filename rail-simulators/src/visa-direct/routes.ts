/** Visa's endpoints, as a table, with the response of each. */
import { ok } from '../kernel/book-page.ts';
import { basic, isSame } from '../kernel/credentials.ts';
import { parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import { SUBJECT_HEADER } from '../kernel/start-provider.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { VisaDirect, VisaDirectWorks } from './processing.ts';
import { type PushRequest, readPush } from './requests.ts';
import { outcomeView, recordsOf } from './views.ts';

interface ServedParts extends Pick<VisaDirectWorks, 'book' | 'faults'> {
  readonly visa: VisaDirect;
  readonly account: { readonly userId: string; readonly password: string; readonly acquiringBin: string };
}

const PUSHES = '/visadirect/fundstransfer/v1/pushfundstransactions';

export function visaRoutes(parts: ServedParts): readonly Route[] {
  const known = (work: (request: ProviderRequest) => Promise<Reply> | Reply) => (request: ProviderRequest) =>
    refusalOf(parts, request) ?? work(request);
  return [
    { verb: 'GET', path: '/vdp/helloworld', answer: known(() => ok({ message: 'helloworld' })) },
    { verb: 'POST', path: PUSHES, answer: (request) => withFaults(parts, request) },
    { verb: 'GET', path: `${PUSHES}/`, answer: known(({ rest }) => outcome(parts, rest)) },
    { verb: 'GET', path: '/visadirect/v1/transactionquery', answer: known(({ query }) => list(parts, query)) },
  ];
}

function responseStatus(status: number, code: string, message: string): Reply {
  return { status, body: { responseStatus: { status, code, severity: 'ERROR', message, info: '' } } };
}

/** Returns undefined if Visa knows the user and the certificate belongs to that user. */
function refusalOf({ account }: ServedParts, { headers }: ProviderRequest): Reply | undefined {
  const { userId, password } = account;
  const isUser = isSame(headers.authorization, basic(userId, password));
  if (!isUser) return responseStatus(401, '9124', 'Credentials are not valid');
  return headers[SUBJECT_HEADER] === userId
    ? undefined
    : responseStatus(401, '9125', 'Another certificate was expected');
}

/** Applies the faults to a valid request: whether it is processed, and whether it gets a response. */
async function withFaults(parts: ServedParts, request: ProviderRequest): Promise<Reply> {
  const text = request.body.toString('utf8');
  const read = readPush(parseJson(request.body), text, parts.account.acquiringBin);
  const { answers } = faultsOf(parts.faults, 'invalid' in read ? '' : read.amount);
  if (answers === 'lose') return 'never';
  const reply = refusalOf(parts, request) ?? (await push(parts, read));
  if (answers === 'accept_unanswered') return 'never';
  return answers === 'accept_500' ? responseStatus(500, '9999', 'The system is not available') : reply;
}

async function push({ visa, faults }: ServedParts, read: PushRequest | { readonly invalid: string }): Promise<Reply> {
  if (faults.validation === 'restricted') {
    const message = 'API Validation Error: 3001. Transactions to the country of this recipient card are restricted';
    return { status: 400, body: { errorMessage: message } };
  }
  const fault = 'invalid' in read ? read.invalid : faults.validation === 'broken' ? 'acquiringBin' : undefined;
  if ('invalid' in read || fault !== undefined) return responseStatus(400, '9202', `${fault} is missing or not valid`);
  const { kind, entry } = await visa.push(read);
  if (kind === 'at_work') return { status: 303, body: {}, location: `${PUSHES}/${entry.statusIdentifier}` };
  if (kind === 'repeated') return ok(outcomeView(entry, true));
  return entry.status === 'completed' ? ok(outcomeView(entry)) : unfinished(entry, faults);
}

function unfinished({ statusIdentifier, amount }: BookEntry, faults: Faults): Reply {
  return faultsOf(faults, amount).timing === 'late_text'
    ? { status: 202, body: statusIdentifier, contentType: 'text/plain' }
    : { status: 202, body: { statusIdentifier } };
}

function outcome({ book, faults }: ServedParts, statusIdentifier: string): Reply {
  const found = book.ofStatusIdentifier(statusIdentifier);
  if (found === undefined) return responseStatus(404, '9404', 'There is no such transaction');
  return found.status === 'completed' ? ok(outcomeView(found)) : unfinished(found, faults);
}

function list({ book, account, faults }: ServedParts, query: URLSearchParams): Reply {
  const [bin, stan, rrn] = ['acquiringBIN', 'stan', 'rrn'].map((name) => query.get(name) ?? '');
  if (bin !== account.acquiringBin || !stan || !rrn) return responseStatus(400, '9202', 'A parameter is missing');
  const found = faults.queries === 'answer' ? book.ofNumbers(stan.padStart(6, '0'), rrn) : [];
  if (faults.queries === 'not_yet_404') return responseStatus(404, '9404', 'There is no such transaction');
  return ok(found.flatMap((entry) => recordsOf(entry, account.acquiringBin)));
}
