/**
 * Mastercard's addresses and the control surface, as tables, and the reply to each. Works on bytes and plain replies, so it knows
 * no sockets; kernel/http-server.ts has those.
 */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { type ProviderRequest, parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import type { Book } from './book.ts';
import { type DisbursementRequest, readDisbursement } from './disbursement-request.ts';
import { type Faults, noFaults, parseMastercardSendFaults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { MastercardSend } from './mastercard-send.ts';
import type { OAuthGuard } from './oauth.ts';
import { disbursementView, errorReply, gatewayRefusal, listView } from './views.ts';

export interface ServedParts {
  readonly mastercard: MastercardSend;
  readonly book: Book;
  readonly guard: OAuthGuard;
  readonly account: { readonly partnerId: string; readonly consumerKey: string };
  readonly findPublicKey: () => KeyObject | undefined;
  readonly faults: Faults;
  readonly clock: Clock;
}

export interface ControlledParts extends ServedParts {
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

const prefix = '/send';

export function mastercardRoutes(parts: ServedParts): readonly Route[] {
  const base = `${prefix}/v1/partners/${parts.account.partnerId}/disbursements`;
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

export function controlRoutes(parts: ControlledParts): readonly Route[] {
  const { mastercard, guard } = parts;
  const reverse: Route = {
    verb: 'POST',
    path: '/control/reverse',
    answer: async ({ body }) => {
      const { reference } = (parseJson(body) ?? {}) as { reference?: unknown };
      const entry = await mastercard.reverse(String(reference));
      return entry === undefined ? invalid('reference') : ok(entry);
    },
  };
  const stop = () => {
    mastercard.stop();
    guard.clear();
  };
  return [...controlSurface({ ...parts, noFaults, parseFaults: parseMastercardSendFaults, stop }), reverse];
}

function refusalOf(parts: ServedParts, verb: string, path: string, request: ProviderRequest): Reply | undefined {
  const { guard, account, findPublicKey, clock } = parts;
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const { authorization = '', host = '' } = request.headers;
  // The address is signed as the client knows it, who may have come by another one than the server's own.
  const call = { verb, url: `http://${host}${path}${query}`, body: request.body, authorization };
  const refusal = guard.refusalOf(call, { ...account, publicKey: findPublicKey() }, clock.now());
  return refusal === undefined ? undefined : gatewayRefusal(refusal);
}

/** The faults around what is sound: carried out or not, answered or not. */
async function withFaults(parts: ServedParts, request: ProviderRequest): Promise<Reply> {
  const read = readDisbursement(parseJson(request.body));
  const { answers } = faultsOf(parts.faults, 'invalid' in read ? '' : read.amount);
  if (answers === 'lose') return 'never';
  const reply = await submit(parts, request, read);
  switch (answers) {
    case 'take_unanswered':
      return 'never';
    case 'take_500':
      return errorReply(500, 'System', 'SYSTEM_ERROR', '050007');
    case 'take_garbled':
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
  const entry = await mastercard.take(read);
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
