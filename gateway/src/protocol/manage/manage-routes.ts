/**
 * The management API as routes: each endpoint of the contract, with the checks that all of them share. In order: the
 * credential, the visibility of the object, the permission, the fields.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH, type Endpoint, isWrite } from '../../../contract/endpoint.ts';
import { ENDPOINTS, type EndpointName, type Endpoints } from '../../../contract/endpoints.ts';
import { STREAMS } from '../../../contract/streams.ts';
import { type Caller, mayUse } from '../../domain/people/caller.ts';
import { fail } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import { MalformedBody, parseJsonObject, requireCleanText } from '../http/json-body.ts';
import { FAILURES, failureOf, type RequestFailure } from '../http/request-failures.ts';
import type { Handler, HandlersOf, ManageRequest } from './handler.ts';
import type { AnyListQuery } from './list-query.ts';
import { type ActParts, performAct } from './perform-act.ts';
import { type ManageProblem, NOT_FOUND, PROBLEM_TYPE, PROBLEMS, type ProblemCode, problemBody } from './problems.ts';
import { createRequestReader } from './read-request.ts';
import type { StreamHandlers } from './stream-handlers.ts';

export interface ManageParts extends ActParts {
  readonly handlers: HandlersOf<Endpoints>;
  readonly streams: StreamHandlers;
  /** Gives the caller of a request with this bearer credential; undefined: it is not valid. */
  readonly authenticate: (credential: Secret | null) => Promise<Caller | undefined>;
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
      app.route({ method: endpoint.method, url: BASE_PATH + endpoint.path.replace(/\{(\w+)\}/g, ':$1'), ...serve });
    }
    for (const [name, endpoint] of Object.entries(STREAMS))
      app.route({
        method: endpoint.method,
        url: BASE_PATH + endpoint.path,
        ...createStreamRoute(parts, name, endpoint),
      });
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
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      reply.header('cache-control', 'no-store').header('x-request-id', request.id);
      const caller = await parts.authenticate(credentialOf(request));
      if (!caller) {
        reply.header('www-authenticate', 'Bearer');
        const detail =
          'Send the header "Authorization: Bearer TOKEN" with a token that is neither expired nor revoked.';
        return sendProblem(reply, request, { code: 'unauthenticated', detail });
      }
      const problem = refuseCaller(endpoint, caller, request);
      if (problem) return sendProblem(reply, request, problem);
      request.caller = caller;
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
      const asked = { ...found.value, caller, ifMatch: entityTagOf(request), act: '' } as ManageRequest<Endpoint>;
      if (!isWrite(endpoint)) {
        const result = await handler(asked);
        if (!result.ok) return sendProblem(reply, request, result.error);
        if (result.value.entityTag !== undefined) reply.header('etag', `"${result.value.entityTag}"`);
        return sendText(reply, 200, JSON.stringify(result.value.answer));
      }
      const idempotencyKey = request.headers['idempotency-key'];
      if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        return sendProblem(reply, request, {
          code: 'idempotency-key-missing',
          detail: 'Send the header Idempotency-Key: 1 to 255 visible characters, unique per act, such as a UUID.',
        });
      const result = await performAct(parts, {
        ...{ name, endpoint, caller, idempotencyKey, address: request.ip, requestId: request.id },
        ...{ params: asked.params as Record<string, string>, query: asked.query, body: asked.body },
        perform: (act) => handler({ ...asked, act }),
      });
      if (!result.ok) return sendProblem(reply, request, result.error);
      const { status, text, entityTag, repeated } = result.value;
      if (entityTag !== undefined) reply.header('etag', `"${entityTag}"`);
      if (repeated) reply.header('idempotency-replayed', 'true');
      return sendText(reply, status, text);
    },
  };
}

/** The same checks as every endpoint has. The handler then takes the answer over. */
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
      const authenticate = () => parts.authenticate(credentialOf(request));
      const query = found.value.query as AnyListQuery;
      const problem = await parts.streams.handlers.get(name)?.({ query, caller, request, reply, authenticate });
      return problem ? sendProblem(reply, request, problem) : reply;
    },
  };
}

/** A token in the query would be in every log, so only the header counts. */
function credentialOf({ headers }: FastifyRequest): Secret | null {
  const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? null : new Secret(token);
}

/** An endpoint or an object that the caller may not see is answered as one that does not exist. */
function refuseCaller(endpoint: Endpoint, caller: Caller, request: FastifyRequest): ManageProblem | undefined {
  if (caller.merchantId !== null) {
    if (endpoint.audience === 'operator') return NOT_FOUND;
    const named = [request.params, request.query].flatMap((values) => namedMerchant(values));
    if (named.some((merchantId) => merchantId !== caller.merchantId)) return NOT_FOUND;
  }
  if (mayUse(caller, endpoint.permission)) return undefined;
  return { code: 'forbidden', detail: `The credential lacks the permission ${endpoint.permission}.` };
}

function namedMerchant(values: unknown): unknown[] {
  const merchantId = (values as Readonly<Record<string, unknown>>)['merchantId'];
  return merchantId === undefined ? [] : [merchantId].flat();
}

/** A merchant's caller lists its own objects without naming itself. */
function ownQuery({ query }: Endpoint, caller: Caller, given: unknown): unknown {
  const isListed = Object.hasOwn(query.properties, 'merchantId');
  return isListed && caller.merchantId !== null ? { ...(given as object), merchantId: caller.merchantId } : given;
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
    detail: 'The outcome of the request is unknown. Repeat it with the same Idempotency-Key; it happens once.',
  };
}

/** For requests that reach no route. `text` is one of the texts of `FAILURES`. */
export function manageErrorBody(text: string, requestId: string): string {
  const failure = Object.values(FAILURES).find((each) => each.text === text && each !== FAILURES.path);
  return JSON.stringify(problemBody(unreadProblem(failure ?? FAILURES.request), requestId));
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: ManageProblem): FastifyReply {
  const text = JSON.stringify(problemBody(problem, request.id));
  return reply.code(PROBLEMS[problem.code].status).header('content-type', PROBLEM_TYPE).send(text);
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  const type = status < 400 ? 'application/json; charset=utf-8' : PROBLEM_TYPE;
  return reply.code(status).header('content-type', type).send(text);
}
