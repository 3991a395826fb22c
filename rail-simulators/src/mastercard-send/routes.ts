/** Mastercard's endpoints, as a table, with the response of each. */
import type { KeyObject } from 'node:crypto';
import { ok } from '../kernel/book-page.ts';
import { parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import { faultsOf } from './magic-amounts.ts';
import type { MastercardSend, MastercardSendWorks } from './processing.ts';
import { type DisbursementRequest, readDisbursement } from './requests.ts';
import type { OAuthGuard } from './signature.ts';
import { disbursementView, errorReply, gatewayRefusal, listView } from './views.ts';

interface ServedParts extends Pick<MastercardSendWorks, 'book' | 'faults' | 'clock'> {
  readonly mastercard: MastercardSend;
  readonly guard: OAuthGuard;
  readonly account: { readonly partnerId: string; readonly consumerKey: string };
  readonly findPublicKey: () => KeyObject | undefined;
}

const PREFIX = '/send';

export function mastercardRoutes(parts: ServedParts): readonly Route[] {
  const base = `${PREFIX}/v1/partners/${parts.account.partnerId}/disbursements`;
  const signed = (
    verb: Route['verb'],
    path: string,
    work: (request: ProviderRequest) => Promise<Reply> | Reply,
  ): Route => ({
    verb,
    path,
    answer: (request) =>
      refusalOf(parts, verb, path.endsWith('/') ? path + request.rest : path, request) ?? work(request),
  });
  return [
    signed('POST', `${base}/payment`, (request) => withFaults(parts, request)),
    signed('GET', base, ({ query }) => list(parts, query)),
    signed('GET', `${base}/`, ({ rest }) => show(parts, rest)),
  ];
}

function refusalOf(parts: ServedParts, verb: string, path: string, request: ProviderRequest): Reply | undefined {
  const { guard, account, findPublicKey, clock } = parts;
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const { authorization = '', host = '' } = request.headers;
  // The client signs the URL that it used, which may differ from the server's own.
  const call = { verb, url: `http://${host}${path}${query}`, body: request.body, authorization };
  const refusal = guard.refusalOf(call, { ...account, publicKey: findPublicKey() }, clock.now());
  return refusal === undefined ? undefined : gatewayRefusal(refusal);
}

/** Applies the faults to a valid request: whether it is processed, and whether it gets a response. */
async function withFaults(parts: ServedParts, request: ProviderRequest): Promise<Reply> {
  const read = readDisbursement(parseJson(request.body));
  const { answers } = faultsOf(parts.faults, 'invalid' in read ? '' : read.amount);
  if (answers === 'lose') return 'never';
  const reply = await submit(parts, request, read);
  switch (answers) {
    case 'accept_unanswered':
      return 'never';
    case 'accept_500':
      return errorReply(500, 'System', 'SYSTEM_ERROR', '050007');
    case 'accept_garbled':
      return { status: 201, body: '<disbursement/>', contentType: 'application/xml' };
    default:
      return reply;
  }
}

async function submit(
  { mastercard, faults }: ServedParts,
  { query }: ProviderRequest,
  read: DisbursementRequest | { readonly invalid: string },
): Promise<Reply> {
  const source = 'invalid' in read ? read.invalid : faults.invalid_source;
  if ('invalid' in read || source !== '') return errorReply(400, source, 'INVALID_INPUT_VALUE', '082000');
  const entry = await mastercard.accept(read);
  if (entry === undefined) return errorReply(409, 'disbursement_reference', 'RESOURCE_ERROR', '110501');
  const hasDetails = faults.decline_details && query.get('decline_details') === 'true';
  return entry.status === 'DECLINED' && !hasDetails
    ? errorReply(402, 'Network', 'DECLINE', entry.networkCode)
    : { status: 201, body: { disbursement: disbursementView(entry) } };
}

const unknownRecord = () => errorReply(404, 'disbursement', 'RESOURCE_UNKNOWN', '110507');

function list({ book, faults }: ServedParts, query: URLSearchParams): Reply {
  const found = faults.queries === 'answer' ? book.underReference(query.get('ref') ?? '') : [];
  return found.length === 0 && faults.queries !== 'empty' ? unknownRecord() : ok(listView(found));
}

function show({ book }: ServedParts, id: string): Reply {
  const found = book.latest(id);
  return found === undefined ? unknownRecord() : ok({ disbursement: disbursementView(found) });
}
