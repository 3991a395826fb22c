/**
 * The management API as routes: each endpoint of the contract, with the checks that all of them share. In order: the
 * credential, the visibility of the object, the permission, the fields.
 */
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS, type EndpointName, type Endpoints } from '../../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint } from '../../../contract/parts/endpoint.ts';
import { STREAMS } from '../../../contract/streams.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import { type Caller, mayUse } from '../../domain/people/caller.ts';
import { compressAnswer } from '../http/brotli.ts';
import { MalformedBody, parseJsonObject, requireCleanText } from '../http/json-body.ts';
import { type AnswerParts, addressOf, answerRequest } from './acts/answer-request.ts';
import { idForAudit } from './acts/card-numbers-in-acts.ts';
import { objectPath } from './acts/perform-act.ts';
import { rejectCaller } from './callers/authorize-caller.ts';
import { readCookies } from './callers/cookies.ts';
import { ownQuery } from './callers/own-query.ts';
import { type CallerParts, readCaller, visitOf } from './callers/read-caller.ts';
import type { Handler, HandlersOf, ManageRequest } from './handler.ts';
import type { CountRead } from './lists/bulk-reads.ts';
import type { AnyListQuery } from './lists/list-query.ts';
import { createRequestReader } from './read-request.ts';
import { problemOf, sendFile, sendProblem, sendText } from './send-answer.ts';
import type { StreamHandlers } from './stream-handlers.ts';
import { TOO_MANY_FILES, whileAllowed } from './streams/file-stream-limits.ts';
import { type Reading, recordFile, recordRead } from './streams/record-reading.ts';

interface ManageParts extends AnswerParts, CallerParts {
  readonly handlers: HandlersOf<Endpoints>;
  readonly streams: StreamHandlers;
  readonly isBulkRead: CountRead;
  readonly onInternalError: (error: unknown, route: string) => void;
}

export function manageRoutes(parts: ManageParts): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
      readJson(body),
    );
    app.setErrorHandler((error, request, reply) => sendProblem(reply, request, problemOf(error, request, parts)));
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      const endpoint: Endpoint = ENDPOINTS[name];
      const serve = createRoute(parts, endpoint, parts.handlers[name] as unknown as Handler<Endpoint>, name);
      const url = BASE_PATH + endpoint.path.replace(/\{(\w+)\}/g, ':$1');
      const { largestBodyBytes: bodyLimit } = endpoint;
      app.route({ method: endpoint.method, url, ...(bodyLimit ? { bodyLimit } : {}), ...serve });
    }
    for (const [name, endpoint] of Object.entries(STREAMS))
      app.route({
        method: endpoint.method,
        url: BASE_PATH + endpoint.path,
        // The stream takes over its response, and so would never release its admission slot.
        ...(endpoint.media === 'text/event-stream' ? { config: { trafficClass: 'unlimited' } } : {}),
        ...createStreamRoute(parts, name, endpoint),
      });
    app.addHook('onSend', compressAnswer);
    app.addHook('preClose', async () => parts.streams.close());
  };
}

/** Two parsers could read a repeated key differently, so the strict parser checks the text first. */
function readJson(body: Buffer): unknown {
  const text = requireCleanText(decode(body));
  if (text === '') return undefined;
  parseJsonObject(text);
  return JSON.parse(text);
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new MalformedBody('not UTF-8');
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes of the management API, once the credential has been verified. */
    caller?: Caller;
  }
}

function createRoute(parts: ManageParts, endpoint: Endpoint, handler: Handler<Endpoint>, name: string) {
  const read = createRequestReader(endpoint);
  return {
    onRequest: authenticateBy(parts, endpoint),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = request.caller as Caller;
      const found = readAsked(read, endpoint, request);
      if (!found.ok) return sendProblem(reply, request, found.error);
      const asked = {
        ...found.value,
        caller,
        visit: visitOf(request),
        cookies: readCookies(request.headers.cookie),
        ifMatch: entityTagOf(request),
        act: '',
      } as ManageRequest<Endpoint>;
      const result = await answerRequest(parts, { name, endpoint, handler }, asked, request);
      if (!result.ok) return sendProblem(reply, request, result.error);
      const reading = readingOf(name, endpoint, asked, request);
      if ('file' in result.value) {
        const authenticate = () => authenticateAgain(parts, endpoint, caller, request);
        const pieces = whileAllowed(result.value.file.pieces, parts.clock, authenticate);
        const file = Readable.from(recordFile(parts, reading, asked.query, pieces), { objectMode: false });
        if (!parts.streams.files.admit(caller, file)) return sendProblem(reply, request, TOO_MANY_FILES);
        return sendFile(reply, result.value, file);
      }
      const { status, text, entityTag, cookies, repeated, records = 0 } = result.value;
      if (isRecordedReading(parts, endpoint, caller, records)) await recordRead(parts, reading, asked.query);
      if (entityTag !== undefined) reply.header('etag', `"${entityTag}"`);
      if (cookies !== undefined) reply.header('set-cookie', cookies);
      if (repeated) reply.header('idempotency-replayed', 'true');
      return sendText(reply, status, text);
    },
  };
}

/** Runs the checks that every endpoint needs. The handler then writes the response itself. */
function createStreamRoute(parts: ManageParts, name: string, endpoint: Endpoint) {
  const read = createRequestReader(endpoint);
  return {
    onRequest: authenticateBy(parts, endpoint),
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = request.caller as Caller;
      const found = readAsked(read, endpoint, request);
      if (!found.ok) return sendProblem(reply, request, found.error);
      const authenticate = () => authenticateAgain(parts, endpoint, caller, request);
      const query = found.value.query as AnyListQuery;
      const problem = await parts.streams.handlers.get(name)?.({ query, caller, request, reply, authenticate });
      return problem ? sendProblem(reply, request, problem) : reply;
    },
  };
}

/** Verifies the credential and the permission before the body is read. */
function authenticateBy(parts: ManageParts, endpoint: Endpoint) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id);
    const caller = await readCaller(parts, endpoint, request, true);
    if (!caller.ok) {
      if (caller.error.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
      return sendProblem(reply, request, caller.error);
    }
    const problem = rejectCaller(endpoint, caller.value, request);
    if (problem) return sendProblem(reply, request, problem);
    request.caller = caller.value;
    return undefined;
  };
}

function readAsked(read: ReturnType<typeof createRequestReader>, endpoint: Endpoint, request: FastifyRequest) {
  const query = ownQuery(endpoint, request.caller as Caller, request.query);
  return read({ params: request.params, query, body: request.body });
}

/** Returns true if the audit log records who read this response, because it shows personal data. */
function isRecordedReading(
  { isBulkRead }: ManageParts,
  { showsPersonal }: Endpoint,
  caller: Caller,
  records: number,
): boolean {
  if (showsPersonal === undefined || !mayUse(caller, 'personal:read')) return false;
  return showsPersonal === 'always' || isBulkRead(`${caller.actor.kind}:${caller.actor.id}`, records);
}

function readingOf(act: string, endpoint: Endpoint, asked: ManageRequest<Endpoint>, request: FastifyRequest): Reading {
  const { caller } = asked;
  const params = asked.params as Record<string, string>;
  return {
    act,
    object: objectPath(endpoint.path, params),
    caller,
    requestId: request.id,
    address: addressOf(caller, request),
    merchantId: caller.merchantId ?? idForAudit(params['merchantId'] ?? merchantOf(asked.query) ?? OPERATOR_MERCHANT),
  };
}

function merchantOf(query: object): string | undefined {
  return 'merchantId' in query && typeof query.merchantId === 'string' ? query.merchantId : undefined;
}

/** Resolves to undefined if the session has ended, acts for a different team, or has lost the permission. */
async function authenticateAgain(
  parts: ManageParts,
  endpoint: Endpoint,
  { merchantId }: Caller,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const again = await readCaller(parts, endpoint, request, false);
  if (!again.ok || again.value.merchantId !== merchantId) return undefined;
  return rejectCaller(endpoint, again.value, request) ? undefined : again.value;
}

function entityTagOf({ headers }: FastifyRequest): string | null {
  const [, tag] = /^"([\x21\x23-\x7e]{1,100})"$/.exec(headers['if-match'] ?? '') ?? [];
  return tag ?? null;
}
