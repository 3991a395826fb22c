/** For tests only: a fictional bank that pays 2 s after accepting an order. It consists only of parts of the kernel. */
import type { TestContext } from 'node:test';
import { ManualClock } from '../manual-clock.ts';
import { BookEntries, totalOf } from './book-entries.ts';
import { defineFaults, type FaultsOf } from './fault-table.ts';
import { parseJson } from './fields.ts';
import { type Answer, answerOf, type Inbox, openInbox } from './inbox-under-test.ts';
import { NOTIFICATION_MODES, Notifier } from './notifier.ts';
import { Provider, type Works } from './provider.ts';
import { jsonLetter } from './retrying-sender.ts';
import { type Control, closesWith, controlAt } from './simulator-under-test.ts';
import { type SimulatorOptions, startProvider } from './start-provider.ts';

interface OrderEntry {
  readonly seq: number;
  readonly at: string;
  readonly id: string;
  readonly status: 'accepted' | 'paid';
}

export class OrderBook extends BookEntries<OrderEntry, string> {
  constructor() {
    super(({ id }) => id);
  }

  summary(): object {
    return { orders: this.size(), paid: totalOf(this.all(), ({ status }) => (status === 'paid' ? 1 : 0)) };
  }
}

export const FAULT_TABLE = defineFaults({ orders: ['accept', 'lose'], notifications: NOTIFICATION_MODES });
type Faults = FaultsOf<typeof FAULT_TABLE>;
export const USUAL_DELAYS = { payMs: 2_000, lateMs: 10_000, holdMs: 60_000 };
type Delays = typeof USUAL_DELAYS;

export class Bank extends Provider<OrderEntry, OrderBook, Faults, Delays> {
  accept(id: string): Promise<OrderEntry> {
    return this.#enter(id, 'accepted');
  }

  protected schedule({ id, status, at }: OrderEntry): void {
    if (status === 'accepted') this.after(at, this.works.delays.payMs, () => this.#enter(id, 'paid'));
  }

  async #enter(id: string, status: OrderEntry['status']): Promise<OrderEntry> {
    const entry = await this.record<OrderEntry>({ id, status });
    this.schedule(entry);
    void this.notify(entry);
    return entry;
  }
}

interface BankUnderTest {
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  readonly control: Control;
  order(id: string): Promise<Answer>;
  close(): Promise<void>;
  notified(): string[];
}

type Options = Partial<Omit<SimulatorOptions<Delays>, 'clock'>> & {
  readonly clock?: ManualClock;
  readonly inbox?: Inbox;
};

export async function startBankUnderTest(t: TestContext, options: Options = {}): Promise<BankUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), ...rest } = options;
  const log: string[] = [];
  const own = {
    host: '127.0.0.1',
    port: 0,
    secret: 'a secret',
    control: true,
    clock,
    log: (line: string) => log.push(line),
  };
  const design = {
    name: 'Bank',
    slug: 'a-bank',
    book: new OrderBook(),
    faults: FAULT_TABLE,
    usualDelays: USUAL_DELAYS,
  };
  const server = await startProvider(design, { ...own, ...rest }, (works: Works<OrderBook, Faults, Delays>) => {
    const notifier = new Notifier<OrderEntry>(works, {
      owner: 'Bank',
      nameOf: ({ id }) => id,
      subjectOf: ({ id }) => id,
      fault: () => works.faults.notifications,
      write: ({ id, status }) => jsonLetter(inbox.url, { id, status }),
    });
    const provider = new Bank(works, notifier);
    const answer = async (body: Buffer) => {
      const accepted = await provider.accept(String(parseJson(body)));
      return works.faults.orders === 'lose' ? 'never' : ({ status: 200, body: accepted } as const);
    };
    return { provider, routes: [{ verb: 'POST', path: '/orders', answer: ({ body }) => answer(body) }] };
  });
  return {
    clock,
    inbox,
    log,
    control: controlAt(server.url, 'a secret'),
    order: (id) => answerOf(fetch(`${server.url}/orders`, { method: 'POST', body: JSON.stringify(id) })),
    close: closesWith(t, server),
    notified: () => inbox.received.map(({ body }) => `${body['id']} ${body['status']}`),
  };
}
