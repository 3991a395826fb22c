/**
 * The management API as routes: each endpoint of the contract, with the checks that all of them share. In order: the
 * credential, the visibility of the object, the permission, the fields.
 */
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS, type EndpointName, type Endpoints } from '../../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint, isAct } from '../../../contract/parts/endpoint.ts';
import { STEP_UP_HEADER } from '../../../contract/parts/passkey-parts.ts';
import { STREAMS } from '../../../contract/streams.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import { type Caller, mayUse } from '../../domain/people/caller.ts';
import type { SignParts } from '../../domain/people/person-signature.ts';
import { invariant } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { compressAnswer } from '../http/brotli.ts';
import { MalformedBody, parseJsonObject, requireCleanText } from '../http/json-body.ts';
import { FAILURES, failureOf, type RequestFailure } from '../http/request-failures.ts';
import { idForAudit } from './acts/card-numbers-in-acts.ts';
import { type ActAnswer, type ActParts, hashOfAct, objectPath, performAct } from './acts/perform-act.ts';
import { isRehearsal, rehearseAct } from './acts/rehearse-act.ts';
import { readProof, verifyProof } from './acts/step-up.ts';
import { performUnderPolicies, type TwoPeopleParts } from './acts/two-people.ts';
import { rejectCaller } from './callers/authorize-caller.ts';
import { readCookies } from './callers/cookies.ts';
import { ownQuery } from './callers/own-query.ts';
import { type CallerParts, readCaller, visitOf } from './callers/read-caller.ts';
import type { Answered, AnsweredFile, Handler, HandlersOf, ManageRequest } from './handler.ts';
import type { CountRead } from './lists/bulk-reads.ts';
import type { AnyListQuery } from './lists/list-query.ts';
import { type ManageProblem, NOT_FOUND, PROBLEM_TYPE, PROBLEMS, type ProblemCode, problemBody } from './problems.ts';
import { createRequestReader } from './read-request.ts';
import type { StreamHandlers } from './stream-handlers.ts';
import { TOO_MANY_FILES, whileAllowed } from './streams/file-stream-limits.ts';
import { recordFile, recordRead } from './streams/record-reading.ts';

interface ManageParts extends ActParts, CallerParts, TwoPeopleParts {
  readonly handlers: HandlersOf<Endpoints>;
  readonly streams: StreamHandlers;
  /** The parts that verify confirmations of dangerous actions. */
  readonly people: SignParts;
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
        // The stream takes over its answer, so that it would never leave its place among the admitted requests.
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
    /** Set on the routes of the management API, once the credential was verified. */
    caller?: Caller;
  }
}

function createRoute(parts: ManageParts, endpoint: Endpoint, handler: Handler<Endpoint>, name = '') {
  const read = createRequestReader(endpoint);
  const isRecordedReading = ({ showsPersonal }: Endpoint, caller: Caller, records: number) => {
    if (showsPersonal === undefined || !mayUse(caller, 'personal:read')) return false;
    return showsPersonal === 'always' || parts.isBulkRead(`${caller.actor.kind}:${caller.actor.id}`, records);
  };
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
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
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = request.caller as Caller;
      const found = read({
        params: request.params,
        query: ownQuery(endpoint, caller, request.query),
        body: request.body,
      });
      if (!found.ok) return sendProblem(reply, request, found.error);
      const asked = {
        ...found.value,
        caller,
        visit: visitOf(request),
        cookies: readCookies(request.headers.cookie),
        ifMatch: entityTagOf(request),
        act: '',
      } as ManageRequest<Endpoint>;
      const result = await answer(parts, { name, endpoint, handler }, asked, request);
      if (!result.ok) return sendProblem(reply, request, result.error);
      const params = asked.params as Record<string, string>;
      const reading = {
        act: name,
        object: objectPath(endpoint.path, params),
        caller,
        requestId: request.id,
        address: addressOf(caller, request),
        merchantId:
          caller.merchantId ?? idForAudit(params['merchantId'] ?? merchantOf(asked.query) ?? OPERATOR_MERCHANT),
      };
      if ('file' in result.value) {
        const authenticate = () => authenticateAgain(parts, endpoint, caller, request);
        const pieces = whileAllowed(result.value.file.pieces, parts.clock, authenticate);
        const file = Readable.from(recordFile(parts, reading, asked.query, pieces), { objectMode: false });
        if (!parts.streams.files.admit(caller, file)) return sendProblem(reply, request, TOO_MANY_FILES);
        return sendFile(reply, result.value, file);
      }
      const { status, text, entityTag, cookies, repeated, records = 0 } = result.value;
      if (isRecordedReading(endpoint, caller, records)) await recordRead(parts, reading, asked.query);
      if (entityTag !== undefined) reply.header('etag', `"${entityTag}"`);
      if (cookies !== undefined) reply.header('set-cookie', cookies);
      if (repeated) reply.header('idempotency-replayed', 'true');
      return sendText(reply, status, text);
    },
  };
}

/** Makes the checks of every endpoint. The handler then writes the answer itself. */
function createStreamRoute(parts: ManageParts, name: string, endpoint: Endpoint) {
  const read = createRequestReader(endpoint);
  const { onRequest } = createRoute(parts, endpoint, async () => fail(NOT_FOUND));
  return {
    onRequest,
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const caller = request.caller as Caller;
      const given = { params: request.params, query: ownQuery(endpoint, caller, request.query), body: request.body };
      const found = read(given);
      if (!found.ok) return sendProblem(reply, request, found.error);
      const authenticate = () => authenticateAgain(parts, endpoint, caller, request);
      const query = found.value.query as AnyListQuery;
      const problem = await parts.streams.handlers.get(name)?.({ query, caller, request, reply, authenticate });
      return problem ? sendProblem(reply, request, problem) : reply;
    },
  };
}

/** Undefined: the session has ended, acts for a different team, or has lost the permission. */
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

interface NamedHandler {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly handler: Handler<Endpoint>;
}

async function answer(
  parts: ManageParts,
  named: NamedHandler,
  asked: ManageRequest<Endpoint>,
  request: FastifyRequest,
): Promise<Result<ActAnswer | AnsweredFile, ManageProblem>> {
  const { endpoint, handler } = named;
  const name = named.name as EndpointName;
  if (isRehearsal(endpoint, asked.query)) {
    const rehearsal = await rehearseAct(parts.runInTransaction, {
      name,
      endpoint,
      request: { ...asked, act: request.id },
    });
    return ok({ status: 200, text: JSON.stringify(rehearsal), repeated: false });
  }
  return isAct(endpoint) ? answerAct(parts, named, asked, request) : answerRequest(handler, asked);
}

async function answerRequest(
  handler: Handler<Endpoint>,
  asked: ManageRequest<Endpoint>,
): Promise<Result<ActAnswer | AnsweredFile, ManageProblem>> {
  const result = await handler(asked);
  if (!result.ok) return result;
  if ('file' in result.value) return ok(result.value);
  const { answer, entityTag, cookies } = result.value;
  const headers = { ...(entityTag === undefined ? {} : { entityTag }), ...(cookies === undefined ? {} : { cookies }) };
  return ok({ status: 200, text: JSON.stringify(answer), repeated: false, records: recordsIn(answer), ...headers });
}

/** The items of a list; any other answer is one record. */
function recordsIn(answer: unknown): number {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : undefined;
  return Array.isArray(items) ? items.length : 1;
}

function merchantOf(query: object): string | undefined {
  return 'merchantId' in query && typeof query.merchantId === 'string' ? query.merchantId : undefined;
}

async function answerAct(
  parts: ManageParts,
  { name, endpoint, handler }: NamedHandler,
  asked: ManageRequest<Endpoint>,
  request: FastifyRequest,
): Promise<Result<ActAnswer, ManageProblem>> {
  const { caller, query, body } = asked;
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    return fail({
      code: 'idempotency-key-missing',
      detail: 'Send the header Idempotency-Key: 1 to 255 visible characters, unique per action, such as a UUID.',
    });
  const proof = await readProof(parts.people, endpoint, caller, request.headers[STEP_UP_HEADER]);
  if (!proof.ok) return proof;
  const params = asked.params as Record<string, string>;
  return performAct(parts, {
    name,
    endpoint,
    caller,
    idempotencyKey,
    address: addressOf(caller, request),
    requestId: request.id,
    params,
    query,
    body,
    async perform(act) {
      const hash = hashOfAct({ name, params, query, body }, parts.fingerprint);
      const signature = await verifyProof(parts.people, caller, hash, proof.value);
      if (!signature.ok) return signature;
      const request = { ...asked, act, signature: signature.value };
      return performUnderPolicies(parts, { name: name as EndpointName, endpoint, request }, async () => {
        const done = await handler(request);
        invariant(!done.ok || !('file' in done.value), 'action returned a file');
        return done as Result<Answered<unknown>, ManageProblem>;
      });
    },
  });
}

/** The command line on the server has no address. */
function addressOf({ actor }: Caller, { ip }: FastifyRequest): string | null {
  return actor.kind === 'emergency' ? null : ip;
}

function entityTagOf({ headers }: FastifyRequest): string | null {
  const [, tag] = /^"([\x21\x23-\x7e]{1,100})"$/.exec(headers['if-match'] ?? '') ?? [];
  return tag ?? null;
}

/** By the status of a request that no endpoint could read. */
const CODES: Readonly<Record<number, ProblemCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  415: 'unsupported-type',
  429: 'too-many-requests',
};

function unreadProblem({ status, text }: Pick<RequestFailure, 'status' | 'text'>): ManageProblem {
  return status === 404 ? NOT_FOUND : { code: CODES[status] ?? 'unreadable', detail: `${text}.` };
}

function problemOf(error: unknown, request: FastifyRequest, { onInternalError }: ManageParts): ManageProblem {
  const failure = failureOf(error);
  if (failure) return unreadProblem(failure);
  onInternalError(error, request.routeOptions.url ?? 'none');
  return {
    code: 'internal',
    detail: 'The outcome of the request is unknown. Repeat it with the same Idempotency-Key; it runs at most once.',
  };
}

/** The body for requests that reach no route. `text` is one of the texts of `FAILURES`. */
export function manageErrorBody(text: string, requestId: string): string {
  const failure = Object.values(FAILURES).find((each) => each.text === text && each !== FAILURES.path);
  return JSON.stringify(problemBody(unreadProblem(failure ?? FAILURES.request), requestId));
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: ManageProblem): FastifyReply {
  const text = JSON.stringify(problemBody(problem, request.id));
  return reply.code(PROBLEMS[problem.code].status).header('content-type', PROBLEM_TYPE).send(text);
}

/**
 * Writes the file piece by piece as the client reads. A failure closes the connection, so that no client mistakes a part for the whole.
 */
function sendFile(reply: FastifyReply, { file }: AnsweredFile, pieces: Readable): FastifyReply {
  const name = file.name.replaceAll(/[^\w.-]/g, '_');
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(pieces);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  const type = status < 400 ? 'application/json; charset=utf-8' : PROBLEM_TYPE;
  return reply.code(status).header('content-type', type).send(text);
}
