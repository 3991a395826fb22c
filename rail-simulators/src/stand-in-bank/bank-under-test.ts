/**
 * For tests only: a stand-in bank on a free port with a gateway's inbox beside it, on a clock that the test moves, and
 * the calls a gateway or an operator makes, as one line each.
 */
import type { TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { type Answer, answerOf, type Inbox, openInbox } from '../provider-server/inbox-under-test.ts';
import { type StandInBankOptions, startStandInBank } from './stand-in-bank.ts';

export const secret = 'a secret of the test';

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
