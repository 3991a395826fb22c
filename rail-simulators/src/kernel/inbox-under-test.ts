/**
 * For tests only: a notification URL that stores a simulator's messages, and helpers that wait for events without a request.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Inbox {
  readonly url: string;
  readonly received: Received[];
  /** The response to each message. A test may change it at any time, even to a promise. */
  answer: (message: Received) => InboxAnswer | Promise<InboxAnswer>;
}

interface InboxAnswer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}

const ACCEPTED = { status: 200, body: 'OK' };

/** Opens a notification URL that stores and accepts all messages, until the test changes its response. */
export async function openInbox(
  t: TestContext,
  parse: (raw: string) => Received['body'] = (raw) => JSON.parse(raw),
): Promise<Inbox> {
  const inbox: Omit<Inbox, 'url'> & { url: string } = { url: '', received: [], answer: () => ACCEPTED };
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const message = { headers: request.headers, raw, body: parse(raw) };
    inbox.received.push(message);
    const { status, body, location } = await inbox.answer(message);
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  inbox.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications`;
  return inbox;
}

/** The timeout of a client's call: long enough for a busy machine, but a hanging test ends. */
export const patience = () => AbortSignal.timeout(60_000);

/** Waits in real time until the condition holds. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    if (await holds()) return;
    await sleep(10);
  }
  throw new Error(`It never happened: ${what}`);
}

/** Waits long enough for an unwanted message to arrive. */
export async function aWhile(): Promise<void> {
  await sleep(150);
}

export async function answerOf(response: Promise<Response>): Promise<Answer> {
  const answered = await response;
  return { status: answered.status, body: JSON.parse(await answered.text()) };
}

/** Checks each case, and names the one that fails. */
export async function eachOf<Case>(cases: Iterable<Case>, check: (one: Case) => Promise<void>): Promise<void> {
  for (const one of cases)
    await check(one).catch((error: Error) => {
      error.message = `${inspect(one)}: ${error.message}`;
      throw error;
    });
}
