/**
 * For tests only: Epoint on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client or an operator. The signatures follow Epoint's documentation and share no code with the verification.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type EpointOptions, startEpoint } from './server.ts';

const SECRET = 'a secret of the test';
/** The example from Epoint's documentation. */
export const ACCOUNT = { publicKey: 'i000000001', privateKey: 'd3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d' };

export function signatureOf(data: string, key = ACCOUNT.privateKey): string {
  return createHash('sha1')
    .update(key + data + key)
    .digest('base64');
}

type Fields = Readonly<Record<string, unknown>>;

/** A notification: whether its signature is valid, and its fields. */
export interface Notified {
  readonly isGenuine: boolean;
  readonly contentType: string;
  readonly said: Fields;
}

export interface EpointUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly notified: Notified[];
  /** The status that the inbox returns. A test may change it. */
  inboxStatus: number;
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Sends a signed request in Epoint's format. */
  post(path: string, fields: Fields): Promise<Answer>;
  /** Returns a card_id whose holder has entered the number. */
  registered(card?: string): Promise<string>;
  /** Pays 30.75 manats to a registered card. The argument overrides fields. */
  pay(fields?: Fields): Promise<Answer>;
  summary(): Promise<Fields>;
}

/** Starts Epoint in memory with its control surface and a client that accepts every callback. It closes with the test. */
export async function startEpointUnderTest(
  t: TestContext,
  options: Partial<Omit<EpointOptions, 'clock'>> & { readonly clock?: ManualClock } = {},
): Promise<EpointUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), ...rest } = options;
  const notified: Notified[] = [];
  const resultUrl = await openInbox(t, notified, () => under.inboxStatus);
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...ACCOUNT, resultUrl, control: true, log: () => {} };
  const epoint = await startEpoint({ ...own, clock, ...rest });
  const close = closesWith(t, epoint);
  let orders = 0;
  const under: EpointUnderTest = {
    url: epoint.url,
    clock,
    notified,
    inboxStatus: 200,
    close,
    control: controlAt(epoint.url, SECRET),
    faults: (which) => under.control('faults', which),
    post: (path, fields) =>
      answerOf(fetch(`${epoint.url}/api/1/${path}`, { method: 'POST', body: formOf(fields), signal: patience() })),
    async registered(card = '4111111111111111') {
      const { body } = await under.post('card-registration', { language: 'en', refund: 1 });
      await under.control('register', { card_id: body['card_id'], card });
      return String(body['card_id']);
    },
    async pay(fields = {}) {
      const card_id = fields['card_id'] ?? (await under.registered());
      const usual = { language: 'en', card_id, order_id: `P${++orders}`, amount: '30.75', currency: 'AZN' };
      return under.post('refund-request', { ...usual, ...fields });
    },
    summary: async () => (await under.control('summary')).body,
  };
  return under;
}

function formOf(fields: Fields): URLSearchParams {
  const data = Buffer.from(JSON.stringify({ public_key: ACCOUNT.publicKey, ...fields })).toString('base64');
  return new URLSearchParams({ data, signature: signatureOf(data) });
}

async function openInbox(t: TestContext, notified: Notified[], status: () => number): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const contentType = request.headers['content-type'] ?? '';
    const headers = { 'content-type': contentType };
    const form = await new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData();
    const data = String(form.get('data'));
    const said = JSON.parse(Buffer.from(data, 'base64').toString());
    notified.push({ isGenuine: form.get('signature') === signatureOf(data), contentType, said });
    response.writeHead(status()).end('OK');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
