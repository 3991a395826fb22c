/**
 * For tests only: RazorpayX on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client or an operator.
 */
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type RazorpayXOptions, startRazorpayX } from './server.ts';

const SECRET = 'a secret of the test';
export const ACCOUNT = {
  keyId: 'rzp_test_shop',
  keySecret: 'its-secret',
  accountNumber: '7878780080316316',
  webhookSecret: '123456',
};
export const BASIC = `Basic ${Buffer.from(`${ACCOUNT.keyId}:${ACCOUNT.keySecret}`).toString('base64')}`;

type Fields = Readonly<Record<string, unknown>>;

export interface RazorpayXUnderTest {
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Sends a payout of 100.00. The argument overrides fields. The idempotency key defaults to the reference. */
  pay(reference: string, fields?: Fields, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string, authorization?: string): Promise<Answer>;
  statusOf(reference: string): Promise<unknown>;
  summary(): Promise<Fields>;
  /** Returns the received events and statuses in order of arrival. */
  notified(): string[];
}

/** Starts RazorpayX in memory with its control surface and a client that accepts every webhook. It closes with the test. */
export async function startRazorpayXUnderTest(
  t: TestContext,
  options: Partial<Omit<RazorpayXOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<RazorpayXUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), inbox = await openInbox(t), ...rest } = options;
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...ACCOUNT, webhookUrl: inbox.url, control: true };
  const razorpayx = await startRazorpayX({ ...own, clock, log: () => {}, ...rest });
  const close = closesWith(t, razorpayx);
  const under: RazorpayXUnderTest = {
    clock,
    inbox,
    close,
    control: controlAt(razorpayx.url, SECRET),
    faults: (which) => under.control('faults', which),
    pay: (reference, fields = {}, headers = {}) =>
      answerOf(
        fetch(`${razorpayx.url}/v1/payouts`, {
          method: 'POST',
          headers: { authorization: BASIC, 'x-payout-idempotency': reference, ...headers },
          body: JSON.stringify({ ...payout(reference), ...fields }),
          signal: patience(),
        }),
      ),
    get: (path, authorization = BASIC) =>
      answerOf(fetch(`${razorpayx.url}/v1/${path}`, { headers: { authorization }, signal: patience() })),
    async statusOf(reference) {
      const { body } = await under.get(`payouts?account_number=${ACCOUNT.accountNumber}&reference_id=${reference}`);
      return (body['items'] as readonly Fields[])[0]?.['status'];
    },
    summary: async () => (await under.control('summary')).body,
    notified: () =>
      inbox.received.map(({ body }) => {
        const { payout: notified } = body['payload'] as { payout: { entity: Fields } };
        return `${body['event']} ${notified.entity['status']}`;
      }),
  };
  return under;
}

function payout(reference: string): Fields {
  return {
    account_number: ACCOUNT.accountNumber,
    fund_account: fundAccount({}),
    amount: 10_000,
    currency: 'INR',
    mode: 'IMPS',
    purpose: 'payout',
    queue_if_low_balance: true,
    reference_id: reference,
    narration: 'M1 A17',
  };
}

export function fundAccount(bankAccount: Fields): Fields {
  return {
    account_type: 'bank_account',
    bank_account: { name: 'Gaurav Kumar', ifsc: 'HDFC0001234', account_number: '1121431121541121', ...bankAccount },
    contact: { name: 'Gaurav Kumar', email: 'g@example.com', contact: '9876543210', type: 'customer' },
  };
}
