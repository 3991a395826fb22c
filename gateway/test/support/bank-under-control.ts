/** The stand-in bank as a test holds it: started on a free port, its book read and its faults switched over HTTP. */
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { startStandInBank } from '../../../rail-simulators/src/stand-in-bank/stand-in-bank.ts';

export const BANK_SECRET = 'the bank of the tests';

export interface BookLine {
  readonly kind: string;
  readonly reference: string;
  readonly remittance: string;
  readonly status: string;
  readonly executions: number;
  readonly repeats: number;
  readonly masked_account: string;
}

export interface BankSummary {
  readonly references: number;
  readonly executed: number;
  readonly executions: number;
  readonly repeats: number;
  readonly executions_by_remittance_over_one: readonly string[];
}

export interface BankUnderControl {
  readonly url: string;
  /** The lines of the book about one payout, oldest first. */
  book(merchant: string, payoutId: string): Promise<readonly BookLine[]>;
  wholeBook(): Promise<readonly BookLine[]>;
  summary(): Promise<BankSummary>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/** Faster than usual, so that a test need not wait for seconds. */
const DELAYS = { settleMs: 300, changeMs: 2_000, lateNotificationMs: 2_500, holdMs: 30_000 };

export async function startBank(notifyUrl: string, delays: Partial<typeof DELAYS> = {}): Promise<BankUnderControl> {
  const bank: ProviderServer = await startStandInBank({
    host: '127.0.0.1',
    port: 0,
    secret: BANK_SECRET,
    notifyUrl,
    control: true,
    clock: systemClock,
    delays: { ...DELAYS, ...delays },
    log: () => {},
  });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(bank.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${BANK_SECRET}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`the bank answered ${response.status} to ${path}`);
    return response.json();
  };
  const wholeBook = async () => {
    const lines: BookLine[] = [];
    for (;;) {
      const page = (await ask(`/control/book?after=${lines.length}&limit=1000`)) as { entries: BookLine[] };
      lines.push(...page.entries);
      if (page.entries.length < 1_000) return lines;
    }
  };
  return {
    url: bank.url,
    wholeBook,
    book: async (merchant, payoutId) =>
      (await wholeBook()).filter(({ remittance }) => remittance === `${merchant}/${payoutId}`),
    summary: async () => (await ask('/control/summary')) as BankSummary,
    faults: async (change) => void (await ask('/control/faults', change)),
    close: () => bank.close(),
  };
}
