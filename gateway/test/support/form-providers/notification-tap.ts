/** A proxy between the providers and the gateway. It forwards and records notifications; a test can multiply or delay them. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TappedNotification {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TappedRail {
  /** All notifications so far with the gateway's responses, the oldest first. */
  readonly received: readonly (TappedNotification & { readonly status: number })[];
  /** The number of copies of each notification, all sent concurrently. */
  times: number;
  /** Delays matching notifications until the returned function is called. */
  holdBack(fits: (body: string) => boolean): () => void;
  /** Notifies the gateway as the provider would. Returns the response status. */
  send(received: TappedNotification): Promise<number>;
}

export interface NotificationTap {
  readonly url: string;
  rail(name: string): TappedRail;
  close(): Promise<void>;
}

/** Headers that belong to a connection, not to the message. */
const OF_THE_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);

export async function startNotificationTap(gatewayUrl: () => string): Promise<NotificationTap> {
  const rails = new Map<string, TappedRail & { pass(message: TappedNotification): Promise<Response> }>();
  const railOf = (name: string) => {
    const rail = rails.get(name) ?? tappedRail(gatewayUrl);
    rails.set(name, rail);
    return rail;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    const message = { path, headers: plainHeaders(request.headers), body: Buffer.concat(chunks).toString('utf8') };
    const answer = await railOf(path.split('/')[2] ?? '')
      .pass(message)
      .catch(() => undefined);
    // The gateway is not listening yet. The provider repeats its notification.
    if (!answer) return void response.writeHead(502).end();
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rail: railOf,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tappedRail(gatewayUrl: () => string) {
  const received: (TappedNotification & { status: number })[] = [];
  const holds = new Set<{ readonly fits: (body: string) => boolean; readonly over: Promise<void> }>();
  const send = ({ path, headers, body }: TappedNotification) =>
    fetch(gatewayUrl() + path, { method: 'POST', headers: { ...headers }, body, redirect: 'manual' });
  const rail = {
    received,
    times: 1,
    holdBack(fits: (body: string) => boolean) {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const hold = { fits, over };
      holds.add(hold);
      return () => {
        holds.delete(hold);
        resolve();
      };
    },
    async send(message: TappedNotification) {
      const response = await send(message);
      await response.text();
      return response.status;
    },
    /** Returns the worst response, so that the provider repeats if any copy was rejected. */
    async pass(message: TappedNotification) {
      await Promise.all([...holds].filter(({ fits }) => fits(message.body)).map(({ over }) => over));
      const answers = await Promise.all(Array.from({ length: rail.times }, () => send(message)));
      const [worst, ...others] = answers.sort((one, other) => other.status - one.status);
      await Promise.all(others.map((answer) => answer.text()));
      if (!worst) throw new Error('it goes on once at least');
      received.push({ ...message, status: worst.status });
      return worst;
    },
  };
  return rail;
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, String(value)] as const],
    ),
  );
}
