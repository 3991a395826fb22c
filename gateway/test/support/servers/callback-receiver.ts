/**
 * A merchant's callback receiver, which stores callbacks and verifies them with the merchant's key. The verification is
 * written from the API documentation and the decisions, with the library that merchants would use for the webhook headers.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { signOver } from '../payouts/payout-request.ts';

export interface Arrival {
  /** The path after the merchant: `callback` or `event`. */
  readonly kind: string;
  readonly merchant: string;
  readonly headers: IncomingHttpHeaders;
  /** The signed bytes: the body, or the query of a GET. */
  readonly body: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The time by the clock of the merchant's server. */
  readonly arrivedAtMs: number;
}

type ReceiverAnswer = (response: ServerResponse, arrival: Arrival) => void;

export interface CallbackReceiver {
  readonly arrivals: readonly Arrival[];
  /** Returns the URL for this merchant's callbacks or events. */
  url(merchant: string, kind?: 'callback' | 'event'): string;
  /** Sets the response of a merchant's server. The default is `OK`. */
  answer(merchant: string, answer: ReceiverAnswer): void;
  /** Returns the callbacks about one payout, or about one deposit by its order, in order of arrival. */
  about(merchant: string, id: string, kind?: 'callback' | 'event'): readonly Arrival[];
  close(): Promise<void>;
}

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const arrivals: Arrival[] = [];
  const bySubject = new Map<string, Arrival[]>();
  const answers = new Map<string, ReceiverAnswer>();
  const server = createServer(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const [, merchant = '', kind = ''] = path.split('/');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = request.method === 'GET' ? query : Buffer.concat(chunks).toString('utf8');
    const { headers } = request;
    const arrival = { kind, merchant, headers, body, fields: readFields(headers, body), arrivedAtMs: Date.now() };
    arrivals.push(arrival);
    const about = `${merchant} ${subjectOf(arrival.fields)} ${kind}`;
    bySubject.set(about, [...(bySubject.get(about) ?? []), arrival]);
    const answer = answers.get(merchant);
    if (answer) answer(response, arrival);
    else response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    arrivals,
    url: (merchant, kind = 'callback') => `${origin}/${merchant}/${kind}`,
    answer: (merchant, answer) => answers.set(merchant, answer),
    about: (merchant, id, kind = 'callback') => bySubject.get(`${merchant} ${id} ${kind}`) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const subjectOf = (fields: Arrival['fields']) => fields['payout_id'] ?? fields['co_order_no'] ?? fields['order'];

function readFields(headers: IncomingHttpHeaders, body: string): Readonly<Record<string, string>> {
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

function assertSigned(fields: Arrival['fields'], key: string): void {
  const name = 'co_sign' in fields ? 'co_sign' : 'sign';
  const covered = Object.keys(fields).filter((field) => field !== name);
  assert.equal(fields[name], signOver(fields, covered, key), name);
}

const WEBHOOK_TOLERANCE_MS = 300_000;

/**
 * Throws unless all signatures verify with `key`: `sign` (`co_sign` for a deposit, absent in events), `X-Sign` and the webhook
 * headers.
 */
export function assertGenuine(arrival: Arrival, key: string): void {
  const { fields, headers, body } = arrival;
  if (arrival.kind === 'callback') assertSigned(fields, key);
  const hex = createHmac('sha256', key).update(body).digest('hex');
  assert.equal(headers['x-sign'], Buffer.from(hex).toString('base64'), 'X-Sign');
  // The library verifies against the current time. A merchant verifies on arrival, but a test may do so much later.
  const sentAtMs = Number(headers['webhook-timestamp']) * 1_000;
  assert(Math.abs(arrival.arrivedAtMs - sentAtMs) < WEBHOOK_TOLERANCE_MS, 'webhook-timestamp');
  const webhook = new Webhook(Buffer.from(key).toString('base64'));
  const signature = webhook.sign(String(headers['webhook-id']), new Date(sentAtMs), body);
  assert(String(headers['webhook-signature']).split(' ').includes(signature), 'webhook-signature');
}
