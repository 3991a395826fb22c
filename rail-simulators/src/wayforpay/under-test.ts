/**
 * For tests only: WayForPay on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client or an operator. The signatures follow WayForPay's documentation and share no code with the verification.
 */
import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience, type Received } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { startWayForPay, type WayForPayOptions } from './server.ts';

const SECRET = 'a secret of the test';
export const ACCOUNT = { merchantAccount: 'test_merch_n1', secretKey: 'flk3409refn54t54t*FNJRET' };

export const hmac = (text: string, key = ACCOUNT.secretKey) => createHmac('md5', key).update(text).digest('hex');

type Fields = Readonly<Record<string, unknown>>;

export interface WayForPayUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Posts any body to any path. */
  post(path: string, body: unknown): Promise<Answer>;
  /** Pays 100.7 hryvnias to a card. The argument overrides fields before signing. */
  toCard(fields?: Fields): Promise<Answer>;
  toAccount(fields?: Fields): Promise<Answer>;
  statusOf(orderReference: string): Promise<Answer>;
  list(dateBegin: number, dateEnd: number): Promise<Answer>;
  balance(): Promise<Answer>;
  summary(): Promise<Fields>;
  /** Returns the received references and statuses in order of arrival. */
  notified(): string[];
}

/** Starts WayForPay in memory with its control surface and a client that accepts every callback. It closes with the test. */
export async function startWayForPayUnderTest(
  t: TestContext,
  options: Partial<Omit<WayForPayOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<WayForPayUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), inbox = await openInbox(t), ...rest } = options;
  inbox.answer = accept;
  const log: string[] = [];
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...ACCOUNT, control: true };
  const wayforpay = await startWayForPay({ ...own, clock, log: (line) => void log.push(line), ...rest });
  const close = closesWith(t, wayforpay);
  const { merchantAccount } = ACCOUNT;
  const under: WayForPayUnderTest = {
    url: wayforpay.url,
    clock,
    inbox,
    log,
    close,
    control: controlAt(wayforpay.url, SECRET),
    faults: (which) => under.control('faults', which),
    post: (path, body) =>
      answerOf(
        fetch(wayforpay.url + path, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          signal: patience(),
        }),
      ),
    toCard: (fields) => under.post('/api', card({ serviceUrl: inbox.url, ...fields })),
    toAccount: (fields) => under.post('/api', iban({ serviceUrl: inbox.url, ...fields })),
    statusOf: (orderReference) =>
      under.post('/api', {
        transactionType: 'CHECK_STATUS',
        merchantAccount,
        orderReference,
        apiVersion: 1,
        merchantSignature: hmac(`${merchantAccount};${orderReference}`),
      }),
    list: (dateBegin, dateEnd) =>
      under.post('/api', {
        transactionType: 'TRANSACTION_LIST',
        merchantAccount,
        dateBegin,
        dateEnd,
        apiVersion: 1,
        merchantSignature: hmac(`${merchantAccount};${dateBegin};${dateEnd}`),
      }),
    balance: () =>
      under.post('/mms/merchantBalance.php', { merchantAccount, merchantSignature: hmac(merchantAccount) }),
    summary: async () => (await under.control('summary')).body,
    notified: () => inbox.received.map(({ body }) => `${body['orderReference']} ${body['transactionStatus']}`),
  };
  return under;
}

/** Returns the client's response that accepts the callback. */
function accept({ body }: Received): { status: number; body: string } {
  const { orderReference } = body;
  const reply = { orderReference, status: 'accept', time: 1_795_176_000 };
  const signature = hmac(`${orderReference};accept;1795176000`);
  return { status: 200, body: JSON.stringify({ ...reply, signature }) };
}

let references = 0;
const ofEvery = () => ({
  merchantAccount: ACCOUNT.merchantAccount,
  orderReference: `${++references}-AbCd1234`,
  amount: 100.7,
  currency: 'UAH',
  apiVersion: 1,
});

/** Returns a signed request. */
export function card(change: Fields = {}): Fields {
  const fields = { transactionType: 'P2P_CREDIT', ...ofEvery(), cardBeneficiary: '4111111111111111', ...change };
  return signed(fields, 'merchantAccount;orderReference;amount;currency;cardBeneficiary;rec2Token');
}

function iban(change: Fields = {}): Fields {
  const payee = { iban: 'UA213223130000026007233566001', okpo: '3184710691', accountName: 'Ivan P' };
  const fields = { transactionType: 'P2P_ACCOUNT', ...ofEvery(), ...payee, ...change };
  return signed(fields, 'merchantAccount;orderReference;amount;currency;iban;okpo;accountName');
}

/** Keeps an existing signature. */
function signed(fields: Fields, names: string): Fields {
  const values = names.split(';').map((name) => String(fields[name] ?? ''));
  return { merchantSignature: hmac(values.join(';')), ...fields };
}
