/**
 * The bank's HTTP edge: authorization, the faults that strike before anything is taken, body, route, reply. It decides
 * nothing about payouts. Plain node:http, because the bank shares its cores with what is measured.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TimerSet } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { Reply, Route } from './routes.ts';

export interface EdgeParts {
  readonly secret: string;
  readonly routes: readonly Route[];
  readonly faults: Faults;
  readonly timers: TimerSet;
  readonly holdMs: number;
  /** True when the bank can say nothing true any more; then every connection is dropped. */
  readonly isSilenced: () => boolean;
  /** What a request failed of, other than its content; the connection is dropped by then. */
  readonly onFailure: (error: unknown) => void;
}

const mostBodyBytes = 64 * 1024;
const tooLarge = Symbol('body too large');

// Longer than any client keeps a connection: a bank that hangs up first makes the next payout an unknown one.
const keepAliveMs = 120_000;

export function createBankServer(): Server {
  return createServer({ keepAliveTimeout: keepAliveMs });
}

/** The listener of the server's `request` event. */
export function requestListener(parts: EdgeParts): (request: IncomingMessage, response: ServerResponse) => void {
  const isAuthorized = authorization(parts.secret);
  const findRoute = routeFinder(parts.routes);
  return (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const isControl = path.startsWith('/control/');
    if (parts.isSilenced() || (parts.faults.down && !isControl)) return void request.socket.destroy();
    if (!isAuthorized(request.headers.authorization)) return refuse(request, response, 401, 'unauthorized');
    if (!isControl && parts.faults.answer_500 > 0) {
      parts.faults.answer_500 -= 1;
      return refuse(request, response, 500, 'internal');
    }
    const found = findRoute(request.method ?? '', path);
    // Never `not_found`: that word says that the bank doesn't know a payout.
    if (found === undefined) return refuse(request, response, 404, 'no_such_path');
    const latencyMs = isControl ? 0 : parts.faults.latency_ms;
    serve(parts, request, response, latencyMs, (body) =>
      found.route.answer({ rest: found.rest, query: new URLSearchParams(query), body }),
    );
  };
}

function serve(
  parts: EdgeParts,
  request: IncomingMessage,
  response: ServerResponse,
  latencyMs: number,
  answer: (body: unknown) => Reply | Promise<Reply>,
): void {
  const work = async (body: unknown): Promise<void> => {
    if (latencyMs > 0) await new Promise<void>((resolve) => void parts.timers.after(latencyMs, resolve));
    const reply = await answer(body);
    if (reply === 'never') hold(parts, request);
    else send(response, reply.status, reply.body);
  };
  readJson(request, (body) => {
    if (body === tooLarge) return refuse(request, response, 413, 'too_large');
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

/** Answers without a look at the body, which is read and dropped so that the connection can be used again. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, error: string): void {
  request.resume();
  send(response, status, { error });
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    server: 'stand-in-bank (no money moves)',
  });
  response.end(text);
}

/** Gives the parsed body to `take`: undefined when it isn't JSON, `tooLarge` when it is over the limit. */
function readJson(request: IncomingMessage, take: (body: unknown) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= mostBodyBytes) return;
    request.off('data', collect).off('end', finish);
    take(tooLarge);
  };
  const finish = () => take(parseJson(chunks));
  request.on('data', collect).on('end', finish);
}

function parseJson(chunks: readonly Buffer[]): unknown {
  const [first] = chunks;
  try {
    return JSON.parse((chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString());
  } catch {
    return undefined;
  }
}

/** Compares digests: equal lengths whatever was sent, and no time that depends on where the difference is. */
function authorization(secret: string): (header: string | undefined) => boolean {
  const expected = hash('sha256', `Bearer ${secret}`, 'buffer');
  return (header) => timingSafeEqual(hash('sha256', header ?? '', 'buffer'), expected);
}

type RouteFinder = (verb: string, path: string) => { readonly route: Route; readonly rest: string } | undefined;

function routeFinder(routes: readonly Route[]): RouteFinder {
  const byAddress = new Map(routes.map((route) => [`${route.verb} ${route.path}`, route]));
  return (verb, path) => {
    const parent = path.lastIndexOf('/') + 1;
    const exact = path.endsWith('/') ? undefined : byAddress.get(`${verb} ${path}`);
    const route = exact ?? byAddress.get(`${verb} ${path.slice(0, parent)}`);
    const rest = exact === undefined ? decodeSegment(path.slice(parent)) : '';
    return route === undefined || rest === undefined ? undefined : { route, rest };
  };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
