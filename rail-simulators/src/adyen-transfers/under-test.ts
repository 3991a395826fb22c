/**
 * For tests only: the simulator of Adyen's Transfers API on a free port, with a client's inbox and a clock that the test
 * controls. It has one function per request of a client or an operator.
 */
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type AdyenTransfersOptions, startAdyenTransfers } from './server.ts';

const SECRET = 'a secret of the test';
export const API_KEY = 'an api key';
export const BALANCE_ACCOUNT = 'BA00000000000000000000009';
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

export interface AdyenTransfersUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  close(): Promise<void>;
  readonly control: Control;
  faults(change: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Sends a transfer of 100.00 USD with a new idempotency key. The arguments override fields or headers. */
  submit(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  list(query?: Readonly<Record<string, string>>): Promise<Answer>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

export interface TestOptions extends Partial<Omit<AdyenTransfersOptions, 'clock'>> {
  readonly clock?: ManualClock;
  readonly inbox?: Inbox;
}

/** Starts it in memory with its control surface and an accepting client. It closes with the test. */
export async function startAdyenTransfersUnderTest(
  t: TestContext,
  options: TestOptions = {},
): Promise<AdyenTransfersUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), ...rest } = options;
  const own = {
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    apiKey: API_KEY,
    balanceAccount: BALANCE_ACCOUNT,
    hmacKey: HMAC_KEY,
    control: true,
  };
  const adyen = await startAdyenTransfers({ ...own, webhookUrl: inbox.url, clock, log: () => {}, ...rest });
  const close = closesWith(t, adyen);
  const control = controlAt(adyen.url, SECRET);
  let keys = 0;
  return {
    url: adyen.url,
    clock,
    inbox,
    close,
    control,
    faults: (change) => control('faults', change),
    submit(fields = {}, headers = {}) {
      const all = {
        'x-api-key': API_KEY,
        'content-type': 'application/json',
        'idempotency-key': `k${++keys}`,
        ...headers,
      };
      const body = JSON.stringify(transfer(fields));
      return answerOf(
        fetch(`${adyen.url}/btl/v4/transfers`, { method: 'POST', body, headers: all, signal: patience() }),
      );
    },
    list(query = {}) {
      const span = { createdSince: '2025-12-01T00:00:00Z', createdUntil: '2026-02-01T00:00:00Z' };
      const all = new URLSearchParams({ balanceAccountId: BALANCE_ACCOUNT, ...span, ...query });
      return answerOf(fetch(`${adyen.url}/btl/v4/transfers?${all}`, { headers: { 'x-api-key': API_KEY } }));
    },
    summary: async () => (await control('summary')).body,
  };
}

function transfer(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amount: { value: 10_000, currency: 'USD' },
    balanceAccountId: BALANCE_ACCOUNT,
    category: 'card',
    counterparty: { card: { cardHolder: holder(), cardIdentification: { number: '4321123456788765' } } },
    reference: '1-AbCd1234',
    description: 'M1/A17',
    ...change,
  };
}

export function holder(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'individual', firstName: 'Albert', lastName: 'Klaassen', ...change };
}

export function toCard(cardHolder: unknown, cardIdentification: unknown): Record<string, unknown> {
  return { counterparty: { card: { cardHolder, cardIdentification } } };
}
