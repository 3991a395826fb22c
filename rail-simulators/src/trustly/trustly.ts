/**
 * What Trustly does with orders: opens them, has payers pay, tells the client, gives back. Writes the book before anything is
 * said, and resumes from it what a restart broke off. Knows neither HTTP nor pages.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import { toCents, toText } from './amounts.ts';
import type { Book, BookEntry, CarriedOut, Notification, Order } from './book.ts';
import type { CheckedCall, DepositRequest, ErrorCode, RefundRequest } from './calls.ts';
import { type ConductName, conductOf } from './conducts.ts';
import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';

/** How long Trustly takes over what it does by itself; tests shorten these. */
export interface TrustlyDelays {
  /** How long a page lives on which nobody pays. */
  readonly openMs: number;
  /** From a slow payer's agreement to what becomes of it. */
  readonly settleMs: number;
  /** From a credit to its being taken back. */
  readonly debitMs: number;
  /** How late a late notification is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

const minuteMs = 60_000;
export const usualDelays: TrustlyDelays = {
  openMs: 15 * minuteMs,
  settleMs: 10_000,
  debitMs: 30_000,
  lateMs: 10_000,
  holdMs: minuteMs,
};

export interface TrustlyParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: TrustlyDelays;
  readonly faults: Readonly<Faults>;
  readonly deliveries: Deliveries;
  /** A UUID for that name: always the same, and one that nobody else can guess. */
  readonly uuidOf: (name: string) => string;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

/** What is told of an event; `told` resolves after the first attempt. */
interface Happened {
  readonly entry: BookEntry;
  readonly told: Promise<void>;
}

type Change = Pick<BookEntry, 'kind'> &
  Partial<Pick<BookEntry, 'call' | 'state' | 'conduct' | 'credited' | 'refunded'>>;
type Tells = Pick<Notification, 'method' | 'amount'>;

const differenceCents = 100n;
const firstNotificationId = 9_870_000_000;

export class Trustly {
  readonly #parts: TrustlyParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: TrustlyParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** What the same call was carried out as before. One that says anything else under that UUID is another call. */
  carriedOut({ uuid, fingerprint }: CheckedCall): BookEntry | undefined {
    const before = this.#parts.book.ofCall(uuid);
    return before?.call?.fingerprint === fingerprint ? before : undefined;
  }

  async deposit(request: DepositRequest, call: CarriedOut): Promise<BookEntry | ErrorCode> {
    const { book, faults, uuidOf } = this.#parts;
    if (book.ofMessage(request.messageId) !== undefined) return 637;
    const orderId = book.nextOrderId();
    const order: Order = {
      ...request,
      orderId,
      sessionId: uuidOf(`session ${orderId}`),
      state: 'open',
      conduct: null,
      credited: '0.00',
      refunded: '0.00',
    };
    const { entry } = await this.#add(order, { kind: 'ordered', call }, null);
    if (faults.deposits === 'paid_before_reply') await this.act(entry.orderId, 'pay', true);
    return entry;
  }

  /** A payer acts; undefined when the order is not open any more. With `untilTold`, resolves after the first attempts. */
  async act(orderId: string, conduct: ConductName | 'cancel', untilTold = false): Promise<BookEntry | undefined> {
    const open = this.#parts.book.latest(orderId);
    if (open?.state !== 'open') return undefined;
    const happened = conduct === 'cancel' ? [await this.#cancel(open)] : await this.#agree(open, conduct);
    if (untilTold) await Promise.all(happened.map(({ told }) => told));
    return this.#parts.book.latest(orderId);
  }

  async refund({ orderId, amount }: RefundRequest, call: CarriedOut): Promise<BookEntry | ErrorCode> {
    const order = this.#parts.book.latest(orderId);
    if (order?.state !== 'credited') return 623;
    const refunded = cents(order.refunded) + cents(amount);
    if (refunded > cents(order.credited)) return 615;
    const { entry } = await this.#add(order, { kind: 'refunded', refunded: toText(refunded), call }, null);
    return entry;
  }

  acknowledged(entry: BookEntry): void {
    const { book, clock, journal } = this.#parts;
    const order = book.latest(entry.orderId);
    if (order === undefined || entry.notification === null) return;
    if (book.isAcknowledged(entry.notification.notificationId)) return;
    const { notification } = entry;
    const at = new Date(clock.now()).toISOString();
    const placed = book.add({ ...order, kind: 'acknowledged', at, notification, call: null });
    this.#inBackground(journal.append(placed));
  }

  /** Takes up, after a restart, what is still to happen and to be told. */
  resume(): void {
    const { book, deliveries } = this.#parts;
    for (const entry of book.latestOfAll()) this.#schedule(entry, entry.at);
    for (const entry of book.unacknowledged()) void deliveries.tell(entry);
  }

  /** Stops for good: an entry that is still being written tells nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#parts.deliveries.stop();
  }

  async #agree(order: BookEntry, conduct: ConductName): Promise<Happened[]> {
    const pending = { method: 'pending', amount: order.amount } as const;
    const agreed = await this.#add(order, { kind: 'authorised', state: 'pending', conduct }, pending);
    const account = this.#parts.faults.tell_account
      ? [await this.#add(agreed.entry, { kind: 'authorised' }, { method: 'account', amount: '' })]
      : [];
    const credits = conductOf(conduct).isSlow ? [] : await this.#credit(agreed.entry);
    return [agreed, ...account, ...credits];
  }

  async #credit(order: BookEntry): Promise<Happened[]> {
    const happened: Happened[] = [];
    let latest = order;
    for (const how of conductOf(order.conduct ?? 'pay').credits) {
      const difference = { exact: 0n, less: -differenceCents, more: differenceCents }[how];
      const amount = toText(cents(order.amount) + difference);
      const credited = toText(cents(latest.credited) + cents(amount));
      const change = { kind: 'credited', state: 'credited', credited } as const;
      const credit = await this.#add(latest, change, { method: 'credit', amount });
      happened.push(credit);
      latest = credit.entry;
    }
    return happened;
  }

  #cancel(order: BookEntry): Promise<Happened> {
    return this.#add(order, { kind: 'cancelled', state: 'cancelled' }, { method: 'cancel', amount: '' });
  }

  #debit(order: BookEntry): Promise<Happened> {
    return this.#add(order, { kind: 'debited', state: 'debited' }, { method: 'debit', amount: order.credited });
  }

  /** What happens next by itself to an order that has come into its state at `since`. */
  #schedule(order: BookEntry, since: string): void {
    if (this.#isClosed) return;
    const { openMs, settleMs, debitMs } = this.#parts.delays;
    const { credits, afterwards } = order.conduct === null ? {} : conductOf(order.conduct);
    if (order.state === 'open') this.#after(since, openMs, order, (open) => this.#cancel(open));
    if (order.state === 'pending') {
      const isEmpty = (credits ?? []).length === 0;
      this.#after(since, settleMs, order, (pending) => (isEmpty ? this.#cancel(pending) : this.#credit(pending)));
    }
    if (order.state === 'credited' && afterwards === 'debit') {
      this.#after(since, debitMs, order, (credited) => this.#debit(credited));
    }
  }

  #after(
    since: string,
    delayMs: number,
    { orderId, state }: BookEntry,
    act: (order: BookEntry) => Promise<unknown>,
  ): void {
    const dueMs = Math.max(0, Date.parse(since) + delayMs - this.#parts.clock.now());
    this.#timers.after(dueMs, () => {
      const latest = this.#parts.book.latest(orderId);
      if (latest?.state === state) this.#inBackground(act(latest));
    });
  }

  /** Adds the next entry of an order to the book, writes it down, tells of it, and sees to what it leads to. */
  async #add(order: Order, change: Change, tells: Tells | null): Promise<Happened> {
    const { book, journal, clock, deliveries } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const isNews = change.kind === 'ordered' || (change.state ?? order.state) !== order.state;
    const notification = tells === null || this.#isLost(tells) ? null : this.#notification(tells);
    const entry = book.add({ ...order, call: null, ...change, at, notification });
    await journal.append(entry);
    if (this.#isClosed) return { entry, told: Promise.resolve() };
    if (isNews) this.#schedule(entry, at);
    return { entry, told: notification === null ? Promise.resolve() : deliveries.tell(entry) };
  }

  #isLost({ method }: Tells): boolean {
    const { notifications } = this.#parts.faults;
    return notifications === 'off' || (notifications === 'credits_off' && method === 'credit');
  }

  #notification({ method, amount }: Tells): Notification {
    const { book, uuidOf } = this.#parts;
    const notificationId = String(firstNotificationId + book.size);
    return { method, amount, notificationId, uuid: uuidOf(`notification ${notificationId}`) };
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }
}

const cents = (amount: string): bigint => toCents(amount) ?? 0n;
