/**
 * The HTTP edge of all endpoints: limits, timeouts for slow clients, and errors in the right envelope for requests that reach
 * no endpoint. It must not log anything, least of all bodies; it reports to its hooks. Its timeouts use the platform's clock,
 * because they guard sockets and decide nothing about money.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { SECOND_MS } from '../../foundation/clock.ts';
import { NotKnownYet } from '../../foundation/commit-errors.ts';
import { MODE_HEADER, type Mode } from '../../foundation/environment.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { createHttpAdmission, type HttpAdmission, registerAdmission } from './admission.ts';
import { createForwardedWatch, type ForwardedWatch } from './forwarded-watch.ts';
import { AmbiguousRequest, CompressedBody, FAILURES, failureOf, type RequestFailure } from './request-failures.ts';
import { createRouteMethods, type RouteMethods } from './route-methods.ts';

export interface AnsweredRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The pattern of the matched route, or `none`. */
  readonly route: string;
  readonly status: number;
  readonly elapsedMs: number;
  readonly clientAddress: string;
}

/** `description` must come from a closed list. */
type ErrorBody = (path: string, description: string) => string;

export interface HttpServerOptions {
  /** Trusted addresses and networks (CIDR), whose `X-Forwarded-For` and `Client-Cert` the server accepts. Defaults to none. */
  readonly trustedProxies: readonly string[];
  /** Returns the body of an error, in the envelope of the path's family. */
  readonly errorBody: ErrorBody;
  /** The mode that each response contains. Defaults to live. */
  readonly mode?: Mode;
  /** The content type of error bodies. Defaults to JSON. */
  readonly errorType?: string;
  /** Returns a unique id for each request. Defaults to numbers of this process. */
  readonly requestId?: () => string;
  /** Receives a bug or an unknown outcome. The client received an empty 500. */
  readonly onInternalError: (error: unknown, route: string) => void;
  /** Called with an address that forwards requests like a proxy but is missing from `trustedProxies`. */
  readonly onProxyNotTrusted?: (address: string) => void;
  readonly onAnswered?: (answer: AnsweredRequest) => void;
  readonly timeouts?: HttpTimeouts;
  /** Defaults to a separate admission for this server. */
  readonly admission?: HttpAdmission;
  /** How long a closing server still accepts requests on open connections. Defaults to GOODBYE_MS. */
  readonly goodbyeMs?: number;
  /** The server closes a connection after this many requests. Defaults to no limit. */
  readonly requestsPerConnection?: number;
}

interface HttpTimeouts {
  /** The time limits for the headers, and for the complete request with its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The limit for a socket without traffic, even during the response. It must exceed the longest response time. */
  readonly idleMs: number;
}

const BODY_LIMIT_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_TIMEOUTS: HttpTimeouts = { headersMs: 5_000, requestMs: 10_000, idleMs: 60_000 };

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { timeouts = DEFAULT_TIMEOUTS, mode = 'live' } = options;
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    ...(options.requestId ? { genReqId: options.requestId } : {}),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    maxRequestsPerSocket: options.requestsPerConnection ?? 0,
    http: {
      headersTimeout: timeouts.headersMs,
      // The interval at which Node checks for slow requests. Node's default is 30 seconds.
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
    },
    // While draining, the server still serves requests. Fastify's own 503 would be in no envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, options),
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply, failureOf(error) ?? FAILURES.path, options, pathOf(request)),
  });
  const forwarded = createForwardedWatch(options.trustedProxies, options.onProxyNotTrusted ?? (() => {}));
  const methods = createRouteMethods();
  app.addHook('onRoute', (route) => methods.add(route.url, route.method));
  registerAdmission(app, options.admission ?? createHttpAdmission());
  // One callback hook is cheaper than several async hooks, and every request passes through it.
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(MODE_HEADER, mode);
    readForwarded(request, forwarded);
    dropUnprovedCertificate(request, options);
    if (request.is404) rejectUnrouted(request, reply, methods, options);
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

/** Matches `203.0.113.9:5555`, `[2001:db8::1]:5555` and `[2001:db8::1]`. */
const ADDRESS_WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/** Some proxies append the port. Allow-lists and rate limits need the address without it. */
function readForwarded({ headers, socket }: FastifyRequest, watch: ForwardedWatch): void {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return;
  watch.seen(socket.remoteAddress ?? '');
  const hops = forwarded.toString().split(',');
  headers['x-forwarded-for'] = hops.map((hop) => hop.trim().replace(ADDRESS_WITH_PORT, '$1$2')).join(',');
}

/**
 * Deletes the client certificate header (RFC 9440) unless a trusted proxy set it. Any client can write this header,
 * but only a proxy has verified the certificate.
 */
function dropUnprovedCertificate({ headers, socket }: FastifyRequest, { trustedProxies }: HttpServerOptions): void {
  if (headers['client-cert'] === undefined || isInNetworks(socket.remoteAddress ?? '', trustedProxies)) return;
  delete headers['client-cert'];
}

const LOOK_AGAIN_MS = 50;
/** A client that sends requests more often than this over one connection loses none when a process ends. */
const GOODBYE_MS = 2_000;

/**
 * A client may be writing its next request while the server closes the connection, and could not know the outcome. So the
 * closing server accepts no new connection, marks each response as the connection's last, and leaves idle connections open for
 * a while.
 *
 * Afterwards a silent client must not keep the process alive, and Node no longer checks timeouts. The server then closes idle
 * connections. It waits for responses in flight, and for arriving requests up to their timeout.
 */
function endConnectionsWhileClosing(app: FastifyInstance, { requestMs }: HttpTimeouts, goodbyeMs: number): void {
  const sockets = new Set<AnsweringSocket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    // Node's own close would also end idle connections.
    NetServer.prototype.close.call(app.server);
    for (let waitedMs = 0; sockets.size > 0 && waitedMs < goodbyeMs; waitedMs += LOOK_AGAIN_MS)
      await sleep(LOOK_AGAIN_MS);
    // Requests from before the closing have no `Connection: close` yet. Add it to their responses.
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

/** Rejects an unreadable body before the server reads it. */
function refuseEarly({ headers, raw }: FastifyRequest): Error | undefined {
  if (isAmbiguous(raw)) return new AmbiguousRequest();
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? undefined : new CompressedBody();
}

/** RFC 9112: two hosts (3.2), or chunks in HTTP/1.0 (6.1). Node's parser accepts both. */
function isAmbiguous({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host');
  return hosts.length > 1 || (httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined);
}

function rejectUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: RouteMethods,
  options: HttpServerOptions,
): FastifyReply {
  const path = pathOf(request);
  const allowed = methods.of(path);
  if (allowed.length === 0) return sendFailure(reply, FAILURES.unknownPath, options, path);
  reply.header('allow', allowed.join(', '));
  if (request.method === 'OPTIONS') return reply.code(204).send();
  return sendFailure(reply, FAILURES.method, options, path);
}

/** The gateway queries banks within minutes, and reads their lists within an hour. */
const NOT_KNOWN_RETRY_MS = 60 * SECOND_MS;

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, options: HttpServerOptions): void {
  // An incomplete request has reached no endpoint. Its client left, so no one reads this response.
  const failure = failureOf(error) ?? (request.raw.complete ? undefined : FAILURES.body);
  if (failure) {
    sendFailure(reply, failure, options, pathOf(request));
    return;
  }
  if (error instanceof NotKnownYet) reply.header('retry-after', NOT_KNOWN_RETRY_MS / SECOND_MS);
  else options.onInternalError(error, routeOf(request));
  reply.removeHeader('content-type').code(500).send();
}

function sendFailure(
  reply: FastifyReply,
  { status, text, headers }: RequestFailure,
  { errorBody, errorType = JSON_TYPE }: HttpServerOptions,
  path: string,
): FastifyReply {
  // The server does not read the rest of the body, so the connection cannot carry another request.
  if (status === 413 || status === 415) reply.header('connection', 'close');
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', errorType)
    .send(errorBody(path, text));
}

/** Responds to bytes that are not HTTP, endless headers and slow requests. There is no request object to respond to. */
function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  { errorBody, errorType = JSON_TYPE }: HttpServerOptions,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const answering = (socket as AnsweringSocket)._httpMessage;
  if (answering?.req.complete) {
    // The bad bytes follow a complete request. The client must not mistake this error for the response to that request.
    answering.once('close', () => socket.destroy());
    return;
  }
  const { status, text } = failureOf(error) ?? FAILURES.request;
  const body = errorBody('', text);
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    `Content-Type: ${errorType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // The client would read a second response as part of the first.
  if (socket.writable && !answering?.headersSent) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
}

/** Node keeps the response in flight here, without a public name. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse<IncomingMessage> | null };
