/**
 * A simulator's HTTP edge: authorization, the faults before a request is accepted, body, route and response. It decides
 * nothing about money. It uses node:http directly, because a simulator shares its cores with benchmarks.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TimerSet } from '../clock.ts';
import { StartupFault } from '../startup-fault.ts';
import { isSame } from './credentials.ts';
import type { EdgeFaults } from './fault-table.ts';

export interface ProviderRequest {
  /** The path after the route's own path, for a route that ends in `/`. */
  readonly rest: string;
  /** The segments that match each `*` of the route's path, in order. */
  readonly segments: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  /** The raw bytes of the body. */
  readonly body: Buffer;
}

/** `never` keeps the connection open without a response. A string body is sent unchanged. */
export type Reply = Answer | 'never';

export interface Answer {
  readonly status: number;
  readonly body: object | string;
  /** Defaults to JSON. */
  readonly contentType?: string;
  /** The target of a redirect. */
  readonly location?: string;
}

export interface Route {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path that ends in `/` matches one more segment. A `*` matches one segment anywhere. */
  readonly path: string;
  readonly answer: (request: ProviderRequest) => Reply | Promise<Reply>;
}

export interface EdgeParts {
  /** The bearer token of the control surface. */
  readonly secret: string;
  /** The `server` header of every response. */
  readonly serverHeader: string;
  readonly routes: readonly Route[];
  readonly faults: EdgeFaults;
  readonly timers: TimerSet;
  /** How long a connection without a response stays open. */
  readonly holdMs: number;
  /** True if the simulator can no longer respond correctly. It then drops every connection. */
  readonly isSilenced: () => boolean;
  /** Called with the error of a failed request, after its connection was dropped. */
  readonly onFailure: (error: unknown) => void;
}

const MOST_BODY_BYTES = 64 * 1024;
const TOO_LARGE = Symbol('body too large');

// Longer than any client keeps a connection: if the provider closes first, the next payout has an unknown outcome.
const KEEP_ALIVE_MS = 120_000;

/** With `tls`, the server uses HTTPS. `tls` also defines whether it requires a client certificate. */
export function createProviderServer(tls?: TlsOptions): Server {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS };
  return tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
}

export interface Place {
  readonly host: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** The subject of the message about a failure to listen, such as `STP's simulator`. */
  readonly name: string;
  /** The variable that sets a different port. */
  readonly portVariable: string;
}

/** Throws a StartupFault if the port is in use. */
export async function listen(server: Server, place: Place): Promise<void> {
  server.listen(place.port, place.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartupFault(listenFault(error, place));
  }
}

function listenFault(error: unknown, { host, port, name, portVariable }: Place): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = error instanceof Error ? error.message : String(error);
  return code === 'EADDRINUSE'
    ? `${name} cannot listen on ${host}:${port}: the port is in use; stop what uses it or set ${portVariable}.`
    : `${name} cannot listen on ${host}:${port}: ${why}.`;
}

export function urlOf(server: Server, protocol: 'http' | 'https' = 'http'): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${protocol}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Closes every connection, and resolves when the last has closed. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Returns the listener for the server's `request` event. */
export function requestListener(parts: EdgeParts): (request: IncomingMessage, response: ServerResponse) => void {
  const opensControl = `Bearer ${parts.secret}`;
  const refuse = refusal(parts.serverHeader);
  const findRoute = routeFinder(parts.routes);
  const latency = createLatency(parts);
  return (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const isControl = path.startsWith('/control/');
    if (parts.isSilenced() || (parts.faults.down && !isControl)) return void request.socket.destroy();
    const isRefused = isControl && !isSame(request.headers.authorization, opensControl);
    if (isRefused) return refuse(request, response, 401, 'unauthorized');
    if (!isControl && parts.faults.answer_500 > 0) {
      parts.faults.answer_500 -= 1;
      return refuse(request, response, 500, 'internal');
    }
    const found = findRoute(request.method ?? '', path);
    // Never use `not_found` here: that word means that a provider does not know a payout.
    if (found === undefined) return refuse(request, response, 404, 'no_such_path');
    serve(parts, request, response, async (body) => {
      if (!isControl) await latency.passed();
      const reply = await found.route.answer({
        rest: found.rest,
        segments: found.segments,
        headers: request.headers,
        query: new URLSearchParams(query),
        body,
      });
      if (isControl) latency.faultsMayHaveChanged();
      return reply;
    });
  };
}

/** Delays requests by the fault `latency_ms`. Lowering it releases the requests that wait for the higher latency. */
function createLatency({ faults, timers }: EdgeParts) {
  const waiting = new Set<{ readonly latencyMs: number; readonly release: () => void }>();
  return {
    async passed(): Promise<void> {
      const latencyMs = faults.latency_ms;
      if (latencyMs === 0) return;
      const { promise, resolve: release } = Promise.withResolvers<void>();
      const one = { latencyMs, release };
      waiting.add(one);
      const cancel = timers.after(latencyMs, release);
      await promise;
      cancel();
      waiting.delete(one);
    },
    faultsMayHaveChanged(): void {
      for (const { latencyMs, release } of waiting) if (faults.latency_ms < latencyMs) release();
    },
  };
}

function serve(
  parts: EdgeParts,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: Buffer) => Promise<Reply>,
): void {
  const work = async (body: Buffer): Promise<void> => {
    const reply = await answer(body);
    if (reply === 'never') hold(parts, request);
    else send(response, parts.serverHeader, reply);
  };
  readBody(request, (body) => {
    if (body === TOO_LARGE) return refusal(parts.serverHeader)(request, response, 413, 'too_large');
    work(body).catch((error: unknown) => {
      request.socket.destroy();
      parts.onFailure(error);
    });
  });
}

function hold({ timers, holdMs }: EdgeParts, request: IncomingMessage): void {
  const stopWaiting = timers.after(holdMs, () => request.socket.destroy());
  request.socket.once('close', stopWaiting);
}

type Refusal = (request: IncomingMessage, response: ServerResponse, status: number, error: string) => void;

/** Responds without processing the body, which it reads and discards so that the connection stays usable. */
function refusal(serverHeader: string): Refusal {
  return (request, response, status, error) => {
    request.resume();
    send(response, serverHeader, { status, body: { error } });
  };
}

function send(response: ServerResponse, server: string, { status, body, contentType, location }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': contentType ?? 'application/json',
    'content-length': Buffer.byteLength(text),
    server,
    ...(location === undefined ? {} : { location }),
  });
  response.end(text);
}

/** Passes the body to `receive`, or `tooLarge` if it exceeds the limit. */
function readBody(request: IncomingMessage, receive: (body: Buffer | typeof TOO_LARGE) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= MOST_BODY_BYTES) return;
    request.off('data', collect).off('end', finish);
    receive(TOO_LARGE);
  };
  const finish = () => {
    const [only] = chunks;
    receive(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  };
  request.on('data', collect).on('end', finish);
}

interface FoundRoute {
  readonly route: Route;
  readonly rest: string;
  readonly segments: readonly string[];
}

type RouteFinder = (verb: string, path: string) => FoundRoute | undefined;

function routeFinder(routes: readonly Route[]): RouteFinder {
  const byAddress = new Map(routes.map((route) => [`${route.verb} ${route.path}`, route]));
  const patterns = routes.filter(({ path }) => path.includes('*'));
  return (verb, path) => {
    const parent = path.lastIndexOf('/') + 1;
    const exact = path.endsWith('/') && path !== '/' ? undefined : byAddress.get(`${verb} ${path}`);
    const route = exact ?? byAddress.get(`${verb} ${path.slice(0, parent)}`);
    if (route === undefined) return findPattern(patterns, verb, path);
    const rest = exact === undefined ? decodeSegment(path.slice(parent)) : '';
    return rest === undefined ? undefined : { route, rest, segments: [] };
  };
}

function findPattern(patterns: readonly Route[], verb: string, path: string): FoundRoute | undefined {
  const segments = path.split('/').map(decodeSegment);
  for (const route of patterns) {
    const wanted = route.path.split('/');
    const fits =
      route.verb === verb &&
      wanted.length === segments.length &&
      wanted.every(
        (want, at) => segments[at] !== undefined && (want === '*' ? segments[at] !== '' : want === segments[at]),
      );
    if (fits)
      return { route, rest: '', segments: segments.flatMap((value, at) => (wanted[at] === '*' ? (value ?? []) : [])) };
  }
  return undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
