/**
 * For tests only: a stand-in bank on a free port with a gateway's inbox beside it, on a clock that the test moves, and
 * the calls a gateway or an operator makes, as one line each.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManualClock } from '../manual-clock.ts';
import { type StandInBankOptions, startStandInBank } from './stand-in-bank.ts';

export const secret = 'a secret of the test';

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
  /** What the inbox answers; a test may change it at any time, also to a promise that waits. */
  answer: () => InboxAnswer | Promise<InboxAnswer>;
}

export interface InboxAnswer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}

const accepted = { status: 200, body: 'OK' };

/** A gateway's notification address that keeps what it gets and accepts it, until the test says otherwise. */
export async function openInbox(t: TestContext): Promise<Inbox> {
  const inbox = { url: '', received: [] as Received[], answer: (): ReturnType<Inbox['answer']> => accepted };
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    inbox.received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
    const { status, body, location } = await inbox.answer();
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  inbox.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications/stand-in-bank`;
  return inbox;
}

export interface BankUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Answer>;
  /** Sends a payout of method 9; what isn't given has a plain value. */
  pay(fields: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
}

export interface TestOptions extends Partial<Omit<StandInBankOptions, 'clock'>> {
  readonly clock?: ManualClock;
  readonly inbox?: Inbox;
  /** The bank has nobody to notify. */
  readonly isLonely?: boolean;
}

/** Starts a bank in memory with its control surface on; it closes with the test. */
export async function startBankUnderTest(t: TestContext, options: TestOptions = {}): Promise<BankUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), isLonely = false, ...rest } = options;
  const log: string[] = [];
  const own = { host: '127.0.0.1', port: 0, secret, control: true, clock, log: (line: string) => void log.push(line) };
  const notify = isLonely ? {} : { notifyUrl: inbox.url };
  const bank = await startStandInBank({ ...own, ...notify, ...rest });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= bank.close());
  t.after(close);
  const authorization = { authorization: `Bearer ${secret}` };
  const get = (path: string, headers: Record<string, string> = authorization) =>
    answerOf(fetch(bank.url + path, { headers }));
  const post = (path: string, body: unknown, signal: AbortSignal = AbortSignal.timeout(10_000)) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answerOf(fetch(bank.url + path, { method: 'POST', headers: authorization, body: text, signal }));
  };
  const pay = (fields: Record<string, unknown>, signal?: AbortSignal) =>
    post('/stand-in/v1/payouts', payout(fields), signal);
  return { url: bank.url, clock, inbox, log, close, get, post, pay };
}

export function payout(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    reference: 'p-1',
    method: 9,
    amount: '10.00',
    currency: 'EUR',
    remittance: 'M1/A17',
    beneficiary: { account: '4111111111111111' },
    ...fields,
  };
}

/** Waits, in real time, until something the other side does has happened. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await holds()) return;
    await sleep(10);
  }
  throw new Error(`It never happened: ${what}`);
}

/** Long enough for something wrong to arrive that must not arrive. */
export async function aWhile(): Promise<void> {
  await sleep(150);
}

async function answerOf(response: Promise<Response>): Promise<Answer> {
  const answered = await response;
  return { status: answered.status, body: JSON.parse(await answered.text()) };
}
