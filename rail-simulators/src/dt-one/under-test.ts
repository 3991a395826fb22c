/**
 * For tests only: DT One on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client or an operator.
 */
import type { TestContext } from 'node:test';
import { basic } from '../kernel/credentials.ts';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type DtOneOptions, startDtOne } from './server.ts';

const SECRET = 'a secret of the test';
export const ACCOUNT = {
  apiKey: 'key123',
  apiSecret: 'sesame',
  callbackUsername: 'dt-one',
  callbackPassword: 'its-password',
};

type Fields = Readonly<Record<string, unknown>>;

export interface DtOneUnderTest {
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  close(): Promise<void>;
  readonly control: Control;
  faults(which: object): Promise<Answer>;
  /** Sends 1000.00 tenge to a number of operator 2002. The argument overrides fields. */
  make(externalId: string, fields?: Fields): Promise<Answer>;
  post(path: string, body: unknown, authorization?: string): Promise<Answer>;
  get(path: string, authorization?: string): Promise<Answer>;
  statusOf(externalId: string): Promise<unknown>;
  summary(): Promise<Fields>;
  /** Returns the received notifications in order of arrival. */
  notified(): unknown[];
}

/** Starts DT One in memory with its control surface and a client that accepts every callback. It closes with the test. */
export async function startDtOneUnderTest(
  t: TestContext,
  options: Partial<Omit<DtOneOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox } = {},
): Promise<DtOneUnderTest> {
  const { clock = new ManualClock(Date.UTC(2026, 10, 20, 12)), inbox = await openInbox(t), ...rest } = options;
  const own = { host: '127.0.0.1', port: 0, secret: SECRET, ...ACCOUNT, control: true };
  const dtOne = await startDtOne({ ...own, clock, log: () => {}, ...rest });
  const close = closesWith(t, dtOne);
  const client = basic(ACCOUNT.apiKey, ACCOUNT.apiSecret);
  const under: DtOneUnderTest = {
    clock,
    inbox,
    close,
    control: controlAt(dtOne.url, SECRET),
    faults: (which) => under.control('faults', which),
    make: (externalId, fields = {}) =>
      under.post('async/transactions', { ...transaction(externalId), callback_url: inbox.url, ...fields }),
    post: (path, body, authorization = client) =>
      answerOf(
        fetch(`${dtOne.url}/v1/${path}`, {
          method: 'POST',
          headers: { authorization },
          body: JSON.stringify(body),
          signal: patience(),
        }),
      ),
    get: (path, authorization = client) =>
      answerOf(fetch(`${dtOne.url}/v1/${path}`, { headers: { authorization }, signal: patience() })),
    async statusOf(externalId) {
      const { body } = await under.get(`transactions?external_id=${externalId}`);
      return messageOf((body as unknown as readonly Fields[])[0] ?? {});
    },
    summary: async () => (await under.control('summary')).body,
    notified: () => inbox.received.map(({ body }) => messageOf(body)),
  };
  return under;
}

export function messageOf(body: Fields): unknown {
  return (body['status'] as { message?: unknown } | undefined)?.message;
}

export function transaction(externalId: string): Fields {
  return {
    external_id: externalId,
    product_id: 9002,
    calculation_mode: 'DESTINATION_AMOUNT',
    destination: { unit_type: 'CURRENCY', unit: 'KZT', amount: 1_000 },
    auto_confirm: true,
    credit_party_identifier: { mobile_number: '+77011234567' },
  };
}
