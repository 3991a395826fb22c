/**
 * For tests only: Freedom Pay on a free port, with a client's inbox and a clock that the test controls. It has one function
 * per request of a client or an operator. The signatures follow Freedom Pay's documentation and share no code with the
 * verification.
 */
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type FreedomPayOptions, startFreedomPay } from './server.ts';

const SECRET = 'a secret of the test';
export const CLIENT = { merchantId: '9970', payoutSecret: 'payout-secret' };

type Fields = Readonly<Record<string, string>>;

export const CARDS = {
  paid: '4671593866478252',
  failed: '4556046085041740',
  paidLater: '5507841999732294',
  failedLater: '4532676596620704',
} as const;

export interface FreedomPayUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Sends a signed request and returns the response's fields. The argument overrides fields, including pg_sig. */
  post(path: string, fields: Fields): Promise<Fields>;
  /** Pays 1000.00 with a new order number to a card that is paid immediately. */
  pay(fields?: Fields): Promise<Fields>;
  statusOf(orderId: string): Promise<Fields>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

/** Starts Freedom Pay in memory with its control surface and a client that accepts every callback. It closes with the test. */
export async function startFreedomPayUnderTest(
  t: TestContext,
  options: Partial<Omit<FreedomPayOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<FreedomPayUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), inbox = await openFormInbox(t), ...rest } = options;
  const log: string[] = [];
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...CLIENT, control: true };
  const freedomPay = await startFreedomPay({ ...own, clock, log: (line) => void log.push(line), ...rest });
  const close = closesWith(t, freedomPay);
  const under: FreedomPayUnderTest = {
    url: freedomPay.url,
    clock,
    inbox,
    log,
    close,
    control: controlAt(freedomPay.url, SECRET),
    faults: (which) => under.control('faults', which),
    async post(path, fields) {
      const salted = { pg_merchant_id: CLIENT.merchantId, pg_salt: 'abc123', ...fields };
      const body = new URLSearchParams({ pg_sig: signature(path.slice(path.lastIndexOf('/') + 1), salted), ...salted });
      const response = await fetch(freedomPay.url + path, { method: 'POST', body, signal: patience() });
      return fieldsOf(await response.text());
    },
    pay: (fields = {}) => under.post('/g2g/p2p2nonreg', { ...payout(inbox.url), ...fields }),
    statusOf: (orderId) => under.post('/api/payment_status2', { pg_order_id: orderId }),
    summary: async () => (await under.control('summary')).body,
  };
  return under;
}

export function openFormInbox(t: TestContext): Promise<Inbox> {
  return openInbox(t, (raw) => Object.fromEntries(new URLSearchParams(raw)));
}

export function signature(script: string, fields: Fields, payoutSecret = CLIENT.payoutSecret): string {
  const names = Object.keys(fields).filter((name) => name !== 'pg_sig');
  const values = names.sort().map((name) => fields[name] ?? '');
  return createHash('md5')
    .update([script, ...values, payoutSecret].join(';'))
    .digest('hex');
}

export function fieldsOf(xml: string): Fields {
  const found = xml.matchAll(/<(pg_\w+)>([^<]*)</g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

let payouts = 0;

/** Returns the fields of a payout with a new order number. */
function payout(postLink: string): Fields {
  payouts += 1;
  return {
    pg_order_id: `${payouts}AbCd1234`,
    pg_amount: '1000.00',
    pg_currency: 'KZT',
    pg_description: `M1/A${payouts}`,
    pg_payment_to: CARDS.paid,
    pg_card_name: 'Aigul Saparova',
    pg_post_link: postLink,
  };
}
