/**
 * For tests only: VoPay on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client, a payer or an operator. The signatures follow VoPay's documentation and share no code with the
 * verification.
 */
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { startVoPay, type VoPayOptions } from './server.ts';

const SECRET = 'a secret of the test';
export const ACCOUNT = { accountId: 'shop', key: 'its-key', sharedSecret: 'its-secret' };

export const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

type Fields = Readonly<Record<string, string>>;

export interface VoPayUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Sends a request signed for today. The argument overrides fields, including the credentials. */
  post(path: string, fields?: Fields): Promise<Answer>;
  get(path: string, fields?: Fields): Promise<Answer>;
  /** Sends a money request of 12.34 to a new payer. Returns the transaction's number. */
  moneyRequest(fields?: Fields): Promise<number>;
  /** Sends a money request and waits until its payer has the message. */
  sent(fields?: Fields): Promise<number>;
  /** Creates a paid money request. */
  paid(fields?: Fields): Promise<number>;
  statusOf(id: number): Promise<unknown>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the received statuses and numbers in order of arrival. */
  notified(): string[];
  page(path: string, form?: Fields): Promise<{ readonly status: number; readonly text: string }>;
}

/** Starts VoPay in memory with its control surface and a client that accepts every webhook. It closes with the test. */
export async function startVoPayUnderTest(
  t: TestContext,
  options: Partial<Omit<VoPayOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<VoPayUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), inbox = await openInbox(t), ...rest } = options;
  const log: string[] = [];
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...ACCOUNT, webhookUrl: inbox.url, control: true };
  const vopay = await startVoPay({ ...own, clock, log: (line) => void log.push(line), ...rest });
  const close = closesWith(t, vopay);
  const form = (fields: Fields) => new URLSearchParams({ ...credentials(clock.now()), ...fields });
  const under: VoPayUnderTest = {
    url: vopay.url,
    clock,
    inbox,
    log,
    close,
    control: controlAt(vopay.url, SECRET),
    faults: (which) => under.control('faults', which),
    post: (path, fields = {}) =>
      answerOf(fetch(`${vopay.url}/api/v2/${path}`, { method: 'POST', body: form(fields), signal: patience() })),
    get: (path, fields = {}) => answerOf(fetch(`${vopay.url}/api/v2/${path}?${form(fields)}`, { signal: patience() })),
    moneyRequest: async (fields = {}) =>
      Number((await under.post('interac/money-request', { ...request(), ...fields })).body['TransactionID']),
    async sent(fields) {
      const id = await under.moneyRequest(fields);
      clock.advance(500);
      return id;
    },
    async paid(fields) {
      const id = await under.sent(fields);
      await under.control('act', { id, behaviour: 'accept' });
      clock.advance(1_000);
      return id;
    },
    statusOf: async (id) =>
      (await under.get('interac/money-request/transaction', { TransactionID: String(id) })).body['TransactionStatus'],
    summary: async () => (await under.control('summary')).body,
    notified: () => inbox.received.map(({ body }) => `${body['Status']} ${body['ID']}`),
    async page(path, fields) {
      const body = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
      const response = await fetch(`${vopay.url}${path}`, body);
      return { status: response.status, text: await response.text() };
    },
  };
  return under;
}

export function credentials(now: number): Fields {
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    AccountID: ACCOUNT.accountId,
    Key: ACCOUNT.key,
    Signature: sha1(ACCOUNT.key + ACCOUNT.sharedSecret + day),
  };
}

let requests = 0;

/** Returns the fields of a money request to a new payer. */
export function request(): Fields {
  requests += 1;
  return {
    Amount: '12.34',
    Currency: 'CAD',
    EmailAddress: `payer${requests}@example.com`,
    RecipientName: 'Zoé Tremblay',
    MessageForRecipient: 'Maple Shop <b>: Order 17',
    ClientReferenceNumber: `${requests}-AbCd1234`,
    IdempotencyKey: `${requests}-AbCd1234`,
  };
}
