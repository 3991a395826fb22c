/**
 * Passes the requests of an endpoint to the request log while their response is sent. The endpoint notes its decision. A
 * request that never reached the endpoint, because it could not be read, is noted here. Nothing here changes a response, waits
 * or throws.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedEndpoint, RequestOutcome } from '../../domain/requests/logged-request.ts';
import type { RequestLog } from '../../domain/requests/request-log.ts';
import type { Clock } from '../../foundation/clock.ts';
import { isId, type MerchantId } from '../../foundation/identifiers.ts';
import { isMerchantsId } from '../formats/field-formats.ts';
import { unreadBytes } from './received-body.ts';

interface ObserverParts {
  /** If undefined, the gateway logs no requests. */
  readonly requestLog?: RequestLog | undefined;
  readonly clock: Clock;
}

/** The decision of an endpoint about a request. */
export interface Decision {
  /** Empty if the merchant does not exist, because no user could then read the entry. */
  readonly merchantId: MerchantId;
  readonly outcome: RequestOutcome;
  /** The kind of the rejection. Empty for an accepted request. */
  readonly reason: string;
  readonly description: string;
}

/** The parts that are read only for the few requests that the log records. */
export interface NotedBytes {
  readonly request: Buffer;
  readonly subjectId: unknown;
}

export type NoteRequest = (request: FastifyRequest, decision: Decision, read: () => NotedBytes) => void;

type Note = Decision & NotedBytes;

/** Headers that describe how the client made the request. Others may hold a credential, or are irrelevant. */
const KEPT_HEADERS = ['content-type', 'content-length', 'user-agent', 'x-merchant', 'x-sign'] as const;
const LONGEST_HEADER = 300;

/** The responses of these show money; the form responds with payment pages. Only their errors are kept. */
const KEEPS_REPLY: Readonly<Record<LoggedEndpoint, 'always' | 'errors' | 'never'>> = {
  payout_send: 'always',
  payout_status: 'always',
  host2host: 'always',
  balance: 'errors',
  list: 'errors',
  form: 'never',
};

/** `endpoints` is keyed by the pattern of the route. */
export function observeRequests(
  scope: FastifyInstance,
  { requestLog, clock }: ObserverParts,
  endpoints: Readonly<Record<string, LoggedEndpoint>>,
): NoteRequest {
  if (!requestLog) return () => {};
  const notes = new WeakMap<FastifyRequest, Note>();
  scope.addHook('onSend', (request, reply, payload, done) => {
    const endpoint = endpoints[request.routeOptions.url ?? ''];
    const note = endpoint && (notes.get(request) ?? noteUnread(requestLog, request, reply));
    if (note) requestLog.record({ ...note, ...observed(endpoint, note, request, reply, payload, clock) });
    done(null, payload);
  });
  return (request, decision, read) => {
    if (decision.merchantId === '' || !requestLog.wants(decision.merchantId, decision.outcome)) return;
    notes.set(request, { ...decision, ...read() });
  };
}

function observed(
  endpoint: LoggedEndpoint,
  { outcome, subjectId }: Note,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  clock: Clock,
) {
  const keeps = KEEPS_REPLY[endpoint];
  const keepsReply = keeps === 'always' || (keeps === 'errors' && outcome !== 'accepted');
  return {
    endpoint,
    subjectId: typeof subjectId === 'string' && isMerchantsId(subjectId) ? subjectId : null,
    receivedAt: clock.now() - Math.round(reply.elapsedTime),
    durationMs: reply.elapsedTime,
    method: request.method,
    httpStatus: reply.statusCode,
    clientAddress: request.ip,
    headers: keptHeaders(request),
    reply: keepsReply && typeof payload === 'string' ? Buffer.from(payload) : Buffer.alloc(0),
  };
}

function keptHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, value.slice(0, LONGEST_HEADER)] as const];
  });
  return Object.fromEntries(kept);
}

/** The statuses of unreadable requests, and their reasons. */
const UNREAD: Readonly<Record<number, string>> = {
  400: 'unreadable_body',
  413: 'body_too_large',
  415: 'unsupported_content_type',
};

/** The request's sender is unproven, such as after a wrong signature. */
function noteUnread(requestLog: RequestLog, request: FastifyRequest, reply: FastifyReply): Note | undefined {
  const reason = UNREAD[reply.statusCode];
  if (reason === undefined) return undefined;
  const bytes = unreadBytes(request) ?? sentBytes(request);
  const merchantId = claimedMerchant(request, bytes);
  if (merchantId === undefined || !requestLog.wantsUnread(merchantId)) return undefined;
  return { merchantId, outcome: 'unproven', reason, description: '', request: bytes, subjectId: null };
}

function sentBytes({ body, url }: FastifyRequest): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : url.replace(/^[^?]*\??/, ''));
}

const NAMED = /(?:"merchant"\s{0,9}:\s{0,9}"|(?:^|&)merchant=)([A-Za-z0-9._-]{1,64})(?=["&]|$)/;

function claimedMerchant({ headers }: FastifyRequest, bytes: Buffer): MerchantId | undefined {
  const inHeader = headers['x-merchant']?.toString();
  const merchantId = inHeader ?? NAMED.exec(bytes.toString('latin1'))?.[1];
  return merchantId !== undefined && isId(merchantId) ? merchantId : undefined;
}
