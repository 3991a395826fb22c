/**
 * The built-in inbox: the demo merchant's server, which receives callbacks, verifies each signature and returns OK. It listens
 * on the loopback interface and is for development only. It keeps the latest callbacks in memory, shows them in a browser, and
 * also serves the merchant's shop.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from './delivery.ts';
import { DemoFailure } from './demo-failure.ts';
import { badSignatures, type Fields } from './merchant-signatures.ts';
import type { Answer } from './shop/page-frame.ts';
import { SHOP_PATH } from './shop/shop.ts';

interface InboxOptions {
  /** The port. 0 selects any free port. */
  readonly port: number;
  /** Returns the merchant's key, or undefined while there is no merchant. */
  readonly key: () => string | undefined;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Responds to requests for the shop. */
  readonly shop: (url: URL) => Answer;
}

export interface Inbox {
  readonly url: string;
  /** Returns the callback of a payout, or of a deposit by its order, if one with valid signatures has arrived. */
  find(id: string): Delivery | undefined;
  /** Resolves to a callback of a payout, or of a deposit by its order, also one that arrived before. Rejects on abort. */
  callbackOf(id: string, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

const MOST_KEPT = 100;
const MOST_BYTES = 64 * 1024;

export async function openInbox({ port, key, onDelivery, shop }: InboxOptions): Promise<Inbox> {
  const kept: Delivery[] = [];
  const waiting = new Map<string, (delivery: Delivery) => void>();
  const take = (delivery: Delivery) => {
    kept.push(delivery);
    if (kept.length > MOST_KEPT) kept.shift();
    if (delivery.bad.length === 0) waiting.get(idOf(delivery))?.(delivery);
    onDelivery(delivery);
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void receive(request, response, key() ?? '', take);
    const url = URL.parse(`${own()}${request.url}`);
    if (url === null || !`${url.pathname}/`.startsWith(`${SHOP_PATH}/`)) return show(response, kept);
    const { status, headers, body } = shop(url);
    response.writeHead(status, headers).end(body);
  });
  const own = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const find = (id: string) => kept.findLast((delivery) => idOf(delivery) === id && delivery.bad.length === 0);
  await listen(server, port);
  return {
    url: own(),
    find,
    callbackOf: (id, signal) =>
      new Promise((resolve, reject) => {
        const found = find(id);
        if (found) return resolve(found);
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function idOf({ fields }: Delivery): string {
  return fields['payout_id'] ?? fields['co_order_no'] ?? '';
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new DemoFailure(
      `The inbox cannot listen on 127.0.0.1:${port} (${error.code}): choose another port, such as INBOX_PORT=8091`,
    );
  });
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
  take: (delivery: Delivery) => void,
): Promise<void> {
  const body = await readBody(request).catch(() => undefined);
  const fields = body && readFields(body, request.headers['content-type'] ?? '');
  if (!body || !fields) return void response.writeHead(400).end('not a callback\n');
  const receivedAt = Date.now();
  const bad = badSignatures({ body, fields, headers: request.headers }, key, receivedAt);
  response.writeHead(bad.length === 0 ? 200 : 403, { 'content-type': 'text/plain' });
  response.end(bad.length === 0 ? 'OK' : `does not verify: ${bad.join(', ')}\n`);
  take({ fields, webhookId: String(request.headers['webhook-id']), bad, receivedAt });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readFields(body: Buffer, contentType: string): Fields | undefined {
  if (!contentType.startsWith('application/json')) return Object.fromEntries(new URLSearchParams(body.toString()));
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
  } catch {
    return undefined;
  }
}

function show(response: ServerResponse, kept: readonly Delivery[]): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  const entries = kept.toReversed().map(({ fields, webhookId, bad, receivedAt }) => {
    const head = `${new Date(receivedAt).toISOString()}  ${bad.length === 0 ? '✓ verified' : `✗ ${bad.join(', ')}`}`;
    const lines = Object.entries({ 'webhook-id': webhookId, ...fields }).map(([name, text]) => `  ${name}: ${text}`);
    return [head, ...lines].join('\n');
  });
  response.end(`The demo merchant's callbacks, newest first: ${kept.length}\n\n${entries.join('\n\n')}\n`);
}
