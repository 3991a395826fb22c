/**
 * The bank for tests: WayForPay's simulator on a free port, with its book and faults over HTTP. Its book contains references,
 * and the gateway's attempts link them to payouts.
 */
import assert from 'node:assert/strict';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { startWayForPay } from '../../../../rail-simulators/src/wayforpay/server.ts';
import { readBook, simulatorAt } from './simulator-control.ts';

/** The gateway's name for the bank. */
export const BANK = 'wayforpay';

export interface BookLine {
  readonly kind: string;
  readonly reference: string;
  readonly status: string;
  readonly executions: number;
  readonly repeats: number;
  /** A masked card or an IBAN. */
  readonly beneficiary: string;
}

interface BankSummary {
  readonly references: number;
  readonly executed: number;
  readonly executions: number;
  readonly repeats: number;
  /** Each reference that was executed more than once. */
  readonly executed_over_once: readonly string[];
}

export interface BankUnderControl {
  readonly url: string;
  /** Returns the book entries about one payout, oldest first, except those about notifications. */
  book(merchant: string, payoutId: string): Promise<readonly BookLine[]>;
  wholeBook(): Promise<readonly BookLine[]>;
  summary(): Promise<BankSummary>;
  /**
   * Returns the number of executions of each payout, by `merchant/payout_id`. Fails on an execution without an attempt of the
   * gateway.
   */
  executions(): Promise<ReadonlyMap<string, number>>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/** The gateway's database, with the right to read everything. */
export interface Attempts {
  query(text: string): Promise<{ readonly rows: readonly AttemptRow[] }>;
}

interface AttemptRow {
  readonly reference: string;
  readonly key: string;
}

const ATTEMPTS = `select distinct reference, merchant_id || '/' || payout_id as key from payout_attempts
  where rail = '${BANK}'`;

/** Shorter delays than usual, so that a test does not wait for seconds. */
const DELAYS = { notifyMs: 100, settleMs: 300, returnMs: 5_000, lateMs: 2_500, holdMs: 30_000 };

/** The largest possible amount, more than any test pays out. */
const OPENING = 99_999_999_999_999n;

export async function startBank(attempts: Attempts, delays: Partial<typeof DELAYS> = {}): Promise<BankUnderControl> {
  // Both sides have the defaults of development, except that the book is in memory.
  const { bookPath: _, ...settings } = readSettingsOf('wayforpay', { WAYFORPAY_PORT: '0' }, '/');
  const bank: ProviderServer = await startWayForPay({
    ...settings,
    host: '127.0.0.1',
    opening: OPENING,
    clock: systemClock,
    delays: { ...DELAYS, ...delays },
    log: () => {},
  });
  const control = simulatorAt({ url: bank.url, secret: settings.secret });
  const wholeBook = () => readBook<BookLine>(control);
  const owners = async () =>
    new Map((await attempts.query(ATTEMPTS)).rows.map(({ reference, key }) => [reference, key]));
  return {
    url: bank.url,
    wholeBook,
    async book(merchant, payoutId) {
      const keys = await owners();
      const isAbout = ({ reference }: BookLine) => keys.get(reference) === `${merchant}/${payoutId}`;
      return (await wholeBook()).filter((line) => line.kind !== 'acknowledged' && isAbout(line));
    },
    summary: async () => (await control('summary')) as unknown as BankSummary,
    executions: async () => countExecutions(await wholeBook(), await owners()),
    faults: async (change) => void (await control('faults', change)),
    close: () => bank.close(),
  };
}

/** The bank of a gateway that has none: no payout was ever executed. */
export const NO_BANK: BankUnderControl = {
  url: '',
  book: async () => [],
  wholeBook: async () => [],
  summary: async () => ({ references: 0, executed: 0, executions: 0, repeats: 0, executed_over_once: [] }),
  executions: async () => new Map(),
  faults: async () => assert.fail('no bank was started'),
  close: async () => {},
};

/** A payout may have several references, which together may be executed at most once. */
function countExecutions(book: readonly BookLine[], owners: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const latest = new Map(book.map((line) => [line.reference, line.executions]));
  const counts = new Map<string, number>();
  for (const [reference, executions] of latest) {
    if (executions === 0) continue;
    const key = owners.get(reference);
    assert(key, `the bank executed ${reference}, which no attempt asked for`);
    counts.set(key, (counts.get(key) ?? 0) + executions);
  }
  return counts;
}

/** Asserts that the bank executed each payout at most once, and none without an attempt. */
export async function assertExecutedOnce(bank: BankUnderControl): Promise<void> {
  const twice = [...(await bank.executions())].filter(([, executions]) => executions > 1);
  assert.deepEqual(twice, [], 'the bank executed a payout twice');
}
