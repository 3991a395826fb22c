/**
 * The HTTP edge that every wire stands on: limits, time-outs for slow clients, and an answer in the right envelope for
 * whatever never reaches a wire. It logs nothing, least of all bodies; it tells its hooks what happened. Its time-outs
 * run on the platform's clock: they guard sockets and decide nothing about money.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SECOND_MS } from '../../foundation/clock.ts';
import { NotKnownYet } from '../../foundation/commit-errors.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { createForwardedWatch, type ForwardedWatch } from './forwarded-watch.ts';
import { createHttpAdmission, type HttpAdmission, registerAdmission } from './http-admission.ts';
import { CompressedBody, FAILURES, failureOf, type RequestFailure } from './request-failures.ts';
import { createRouteMethods, type RouteMethods } from './route-methods.ts';

export interface AnsweredRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The pattern that the path met; `none` where it met none. */
  readonly route: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly clientAddress: string;
}

/** `description` is one of a closed list. */
export type ErrorBody = (path: string, description: string) => string;

export interface HttpServerOptions {
  /** Addresses and networks (CIDR) whose `X-Forwarded-For` and `Client-Cert` are believed; none by default. */
  readonly trustedProxies: readonly string[];
  /** The body of an error, in the envelope of the wire that the path belongs to. */
  readonly errorBody: ErrorBody;
  /** A bug, or an outcome that can't be known. The client saw an empty 500. */
  readonly onInternalError: (error: unknown, route: string) => void;
  /** Called with an address that forwards requests like a proxy and is not among `trustedProxies`. */
  readonly onProxyNotTrusted?: (address: string) => void;
  readonly onAnswered?: (answer: AnsweredRequest) => void;
  readonly timeouts?: HttpTimeouts;
  /** Default: one of its own. */
  readonly admission?: HttpAdmission;
  /** How long a closing server lets clients that keep their connections ask once more. Default: GOODBYE_MS. */
  readonly goodbyeMs?: number;
  /** After so many the client is told to connect anew. Default: no limit. */
  readonly requestsPerConnection?: number;
}

export interface HttpTimeouts {
  /** For the headers alone, and for the whole request with its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A socket on which nothing moves, not even a reply that is being worked on: longer than any reply may take. */
  readonly idleMs: number;
}

const BODY_LIMIT_BYTES = 64 * 1024;
const DEFAULT_TIMEOUTS: HttpTimeouts = { headersMs: 5_000, requestMs: 10_000, idleMs: 60_000 };

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { errorBody, timeouts = DEFAULT_TIMEOUTS } = options;
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    maxRequestsPerSocket: options.requestsPerConnection ?? 0,
    http: {
      headersTimeout: timeouts.headersMs,
      // How often Node looks for requests that are past their time; its default is half a minute.
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
    // While draining, what still arrives is served: a refusal here would not be in any envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, errorBody),
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply, failureOf(error) ?? FAILURES.path, errorBody, pathOf(request)),
  });
  const forwarded = createForwardedWatch(options.trustedProxies, options.onProxyNotTrusted ?? (() => {}));
  const methods = createRouteMethods();
  app.addHook('onRoute', (route) => methods.add(route.url, route.method));
  registerAdmission(app, options.admission ?? createHttpAdmission());
  // One hook that calls back, instead of several that promise: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    readForwarded(request, forwarded);
    dropUnprovedCertificate(request, options);
    if (request.is404) refuseUnrouted(request, reply, methods, errorBody);
    else done(refuseEarly(request));
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));
  endConnectionsWhileClosing(app, timeouts, options.goodbyeMs ?? GOODBYE_MS);
  const { onAnswered } = options;
  if (onAnswered)
    app.addHook('onResponse', (request, reply, done) => {
      onAnswered(describeAnswer(request, reply));
      done();
    });
  return app;
}

/** `203.0.113.9:5555`, `[2001:db8::1]:5555`, `[2001:db8::1]`. */
const ADDRESS_WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/** Some proxies write the port as well; who is counted or let in by their address would have none with it. */
function readForwarded({ headers, socket }: FastifyRequest, watch: ForwardedWatch): void {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return;
  watch.seen(socket.remoteAddress ?? '');
  const hops = forwarded.toString().split(',');
  headers['x-forwarded-for'] = hops.map((hop) => hop.trim().replace(ADDRESS_WITH_PORT, '$1$2')).join(',');
}

/** Anybody can write the header (RFC 9440) that tells of a certificate; only a proxy has seen who holds it. */
function dropUnprovedCertificate({ headers, socket }: FastifyRequest, { trustedProxies }: HttpServerOptions): void {
  if (headers['client-cert'] === undefined || isInNetworks(socket.remoteAddress ?? '', trustedProxies)) return;
  delete headers['client-cert'];
}

const LOOK_AGAIN_MS = 50;
/** Whoever asks more often than that over one connection loses no request to a process that ends. */
const GOODBYE_MS = 2_000;

/**
 * A client that keeps its connection may be writing its next request while we end it, and can't know what became of that.
 * So from the beginning of the closing nobody new is let in, each answer says that it is the connection's last, and what is
 * idle is left for a while. Then a client that keeps its connection, or opened one and stays silent, must not keep us: Node
 * ends what is idle, and watches no time-out from then on. An answer under way is waited for, a request that is still
 * coming in as long as any may take.
 */
function endConnectionsWhileClosing(app: FastifyInstance, { requestMs }: HttpTimeouts, goodbyeMs: number): void {
  const sockets = new Set<AnsweringSocket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    // Node's own close would also end what is idle.
    NetServer.prototype.close.call(app.server);
    for (let waitedMs = 0; sockets.size > 0 && waitedMs < goodbyeMs; waitedMs += LOOK_AGAIN_MS)
      await sleep(LOOK_AGAIN_MS);
    // What was asked before the closing began was not told so by then; its connection is to end with its answer.
    for (const { _httpMessage: answer } of sockets)
      if (answer?.headersSent === false) answer.setHeader('connection', 'close');
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      app.server.closeIdleConnections();
      const isOver = looks * LOOK_AGAIN_MS > requestMs;
      for (const socket of sockets) {
        const isAnswering = socket._httpMessage?.req.complete === true;
        if (!isAnswering && (isOver || socket.bytesRead === 0)) socket.destroy();
      }
    }, LOOK_AGAIN_MS);
    app.server.once('close', () => clearInterval(looking));
  });
}

function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?');
  return end < 0 ? request.url : request.url.slice(0, end);
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}

function describeAnswer(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  return {
    method: request.method,
    path: pathOf(request),
    route: routeOf(request),
    status: reply.statusCode,
    elapsedMs: reply.elapsedTime,
    clientAddress: request.ip,
  };
}

/** Before the body is read: what nobody would be able to read. */
function refuseEarly({ headers }: FastifyRequest): Error | undefined {
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? undefined : new CompressedBody();
}

function refuseUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: RouteMethods,
  errorBody: ErrorBody,
): FastifyReply {
  const path = pathOf(request);
  const allowed = methods.of(path);
  if (allowed.length === 0) return sendFailure(reply, FAILURES.unknownPath, errorBody, path);
  reply.header('allow', allowed.join(', '));
  if (request.method === 'OPTIONS') return reply.code(204).send();
  return sendFailure(reply, FAILURES.method, errorBody, path);
}

/** Banks are asked within minutes, and their lists are read within an hour. */
const NOT_KNOWN_RETRY_MS = 60 * SECOND_MS;

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, options: HttpServerOptions): void {
  // Before the whole body is there no wire has seen the request: the client left, and nobody reads this answer.
  const failure = failureOf(error) ?? (request.raw.complete ? undefined : FAILURES.body);
  if (failure) {
    sendFailure(reply, failure, options.errorBody, pathOf(request));
    return;
  }
  if (error instanceof NotKnownYet) reply.header('retry-after', NOT_KNOWN_RETRY_MS / SECOND_MS);
  else options.onInternalError(error, routeOf(request));
  reply.removeHeader('content-type').code(500).send();
}

function sendFailure(
  reply: FastifyReply,
  { status, text, headers }: RequestFailure,
  errorBody: ErrorBody,
  path: string,
): FastifyReply {
  // What may remain of a body is not read any more, so the connection can't carry another request.
  if (status === 413 || status === 415) reply.header('connection', 'close');
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(path, text));
}

/** Bytes that are no HTTP, headers that never end, requests that are too slow: there is no request to reply to. */
function answerClientError(error: Error & { code?: string }, socket: Socket, errorBody: ErrorBody): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const answering = (socket as AnsweringSocket)._httpMessage;
  if (answering?.req.complete) {
    // What is wrong came behind a whole request, and must not be read as the answer to that one.
    answering.once('close', () => socket.destroy());
    return;
  }
  const { status, text } = failureOf(error) ?? FAILURES.request;
  const body = errorBody('', text);
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // Bytes of a second answer in the middle of a first one would be read as part of it.
  if (socket.writable && !answering?.headersSent) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
}

/** Node keeps the answer under way here, and has no public name for it. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse<IncomingMessage> | null };
