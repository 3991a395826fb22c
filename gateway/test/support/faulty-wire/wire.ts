/**
 * A proxy over real HTTP between the gateway and a provider, in either direction. While it is faulty, it draws a fault for a
 * share of the requests; otherwise it forwards everything unchanged.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Choices } from '../tools/seeded.ts';
import {
  exchangeOver,
  readMessage,
  type WireMemory,
  type WireReply,
  type WireRequest,
  type WireTarget,
} from './exchange.ts';
import type { Fault } from './faults.ts';

export interface FaultyWire {
  readonly url: string;
  /** How often each fault occurred. */
  readonly counts: ReadonlyMap<string, number>;
  /** The percentage of requests with a fault. 0 forwards everything. */
  faultsPerHundred: number;
  /** If set, every request has this fault. */
  always: Fault | undefined;
  /** Resolves when no request is in flight, including late and repeated requests. */
  untilQuiet(): Promise<void>;
  close(): Promise<void>;
}

export interface WireOptions extends WireTarget {
  readonly faults: Readonly<Record<string, Fault>>;
  readonly choices: Choices;
  /** The certificate of the wire, if its client expects TLS. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Called with each genuine response of the target. */
  readonly onReply?: (request: WireRequest, reply: WireReply) => void;
}

/** The number of messages that a wire remembers. */
const REMEMBERED = 200;

export async function startFaultyWire(options: WireOptions): Promise<FaultyWire> {
  const { faults, choices, tls, onReply = () => {} } = options;
  const names = Object.keys(faults);
  const counts = new Map<string, number>();
  const memory: WireMemory = { requests: [], replies: [], waiting: undefined };
  const inFlight = new Set<Promise<unknown>>();

  function track(work: Promise<unknown>): void {
    const done = work.catch(() => {}).finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  const wire: Pick<FaultyWire, 'faultsPerHundred' | 'always'> = { faultsPerHundred: 0, always: undefined };
  const serve: RequestListener = (incoming, response) => {
    response.on('error', () => {});
    track(handle(incoming, response).catch(() => void response.socket?.destroy()));
  };

  async function handle(incoming: IncomingMessage, response: Parameters<RequestListener>[1]): Promise<void> {
    const message = await readMessage(incoming);
    const request = { verb: incoming.method ?? 'GET', path: incoming.url ?? '/', ...message };
    const shared = { choices, memory, later: (work: () => Promise<unknown>) => track(work()) };
    const exchange = exchangeOver(options, request, response, shared);
    const remembering = {
      ...exchange,
      async forward(instead: WireRequest = request) {
        const reply = await exchange.forward(instead);
        onReply(instead, reply);
        keep(memory.replies, reply);
        return reply;
      },
    };
    const isFaulty = choices.between(1, 100) <= wire.faultsPerHundred;
    const name = choices.oneOf(names);
    const fault = wire.always ?? (isFaulty ? faults[name] : undefined);
    if (fault) counts.set(name, (counts.get(name) ?? 0) + 1);
    await (fault ? fault(remembering) : remembering.forward().then((reply) => exchange.answer(reply)));
    keep(memory.requests, request);
  }

  const server: Server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, serve)
    : createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(wire, {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    counts,
    async untilQuiet() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function keep<Message>(messages: Message[], message: Message): void {
  messages.push(message);
  if (messages.length > REMEMBERED) messages.shift();
}
