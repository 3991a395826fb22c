/**
 * What STP does with money: takes what payers send, asks the client to confirm it, gives back what the client doesn't
 * want, executes the client's orders. Writes the book before anything is said, and resumes from it what a restart broke
 * off. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, Direction, Transfer } from './book.ts';
import type { AbonoAnswer, Deliveries } from './deliveries.ts';
import type { Faults, OrderMode } from './faults.ts';
import { type Given, orderCameBack, orderTaken, paymentReceived } from './new-transfers.ts';
import { operationDate } from './operation-date.ts';
import type { Conduct, Payment, PayRequest } from './payers.ts';
import { keyUsed, type OrderFields, type OrderRefusal, refusedByBehaviour } from './payment-order.ts';

/** How long STP takes over what it does by itself; tests shorten these. */
export interface StpDelays {
  /** From the registration of an order to its end. */
  readonly settleMs: number;
  /** From an end to its return, and from `devolver` to the money's being back. */
  readonly returnMs: number;
  /** How long a late payer waits, and a late notification. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
  /** Between two tellings of what is not answered, at most. */
  readonly longestPauseMs: number;
}

export const usualDelays: StpDelays = {
  settleMs: 2_000,
  returnMs: 3_000,
  lateMs: 10_000,
  holdMs: 60_000,
  longestPauseMs: 60_000,
};

export interface StpParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: StpDelays;
  readonly faults: Readonly<Faults>;
  /** Absent when STP has nobody to tell. */
  readonly deliveries: Deliveries | undefined;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

export type Registered =
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'refused'; readonly refusal: OrderRefusal }
  | { readonly kind: 'unanswered' | 'error_500' };

export type Paid =
  | { readonly kind: 'paid'; readonly transfers: readonly Transfer[] }
  | { readonly kind: 'due'; readonly at: number }
  | { readonly kind: 'tracking_key_used' };

type Change = Partial<Omit<BookEntry, 'seq' | 'at'>> & Pick<BookEntry, 'kind'>;

const plans: Readonly<Record<Exclude<OrderMode, 'refuse' | 'lose'>, Transfer['next']>> = {
  settle: 'settle',
  settle_unanswered: 'settle',
  settle_500: 'settle',
  cancel: 'cancel',
  return: 'settle_then_return',
  return_told: 'settle_then_return',
  stay: null,
};

const accountUnknown = 1;

export class Stp {
  readonly #parts: StpParts;
  readonly #timers: TimerSet;
  /** Received, and told only while the client asks for the list that has them. */
  #heldForQuery: BookEntry[] = [];
  #isClosed = false;

  constructor(parts: StpParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Has payers pay. Resolves once the book is written; rejects when it can't be. */
  async pay({ conduct, payments, afterMs }: PayRequest): Promise<Paid> {
    if (payments.some((payment) => this.#isKeyUsed(payment))) return { kind: 'tracking_key_used' };
    if (conduct.isLate) {
      const waitMs = afterMs ?? this.#parts.delays.lateMs;
      this.#timers.after(waitMs, () => this.#inBackground(this.#receiveAll(payments, conduct)));
      return { kind: 'due', at: this.#parts.clock.now() + waitMs };
    }
    return { kind: 'paid', transfers: await this.#receiveAll(payments, conduct) };
  }

  /** Takes an order that passed its checks. Resolves once the book is written; rejects when it can't be. */
  async register(fields: OrderFields): Promise<Registered> {
    const { book, journal, faults } = this.#parts;
    const { orders } = faults;
    if (orders === 'lose') return { kind: 'unanswered' };
    if (orders === 'refuse') return { kind: 'refused', refusal: refusedByBehaviour(fields) };
    const claveRastreo = fields['claveRastreo'] ?? '';
    const fechaOperacion = this.#today();
    if (book.hasTrackingKey('STP', fechaOperacion, claveRastreo)) {
      return { kind: 'refused', refusal: keyUsed(claveRastreo, fechaOperacion) };
    }
    const entry = book.add(orderTaken(fields, this.#given('E'), plans[orders]));
    this.#scheduleChange(entry);
    await journal.append(entry);
    if (orders === 'settle_unanswered') return { kind: 'unanswered' };
    return orders === 'settle_500' ? { kind: 'error_500' } : { kind: 'taken', id: entry.id };
  }

  /**
   * The transfers of a date, or of the current operation date when none is given. The current one is listed only under no
   * date: a client that relies on the other way may find nothing at STP.
   */
  list(direction: Direction, fechaOperacion: string): readonly BookEntry[] {
    const today = this.#today();
    if (fechaOperacion === today) return [];
    const listed = this.#parts.book.ofDate(direction, fechaOperacion === '' ? today : fechaOperacion);
    if (direction === 'R') this.#tellHeld(new Set(listed.map(({ id }) => id)));
    return listed;
  }

  abonoAnswered({ id }: BookEntry, answer: AbonoAnswer): void {
    const latest = this.#parts.book.latest('R', id);
    const change = latest && changeByAnswer(latest, answer);
    if (change) this.#inBackground(this.#follow(latest, change));
  }

  stateAccepted({ id, estado }: BookEntry): void {
    const latest = this.#parts.book.latest('E', id);
    if (latest?.notification !== 'due' || latest.estado !== estado) return;
    this.#inBackground(this.#follow(latest, { kind: 'state_accepted', notification: 'accepted' }));
  }

  /** Takes up, after a restart, the changes and notifications that the book says are still due. */
  resume(): void {
    for (const entry of this.#parts.book.latestOfAll()) {
      this.#scheduleChange(entry);
      this.#tell(entry, 1);
    }
  }

  /** Stops for good: a change whose entry is still being written tells nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#heldForQuery = [];
    this.#parts.deliveries?.stop();
  }

  #isKeyUsed({ institution, claveRastreo }: Payment): boolean {
    return claveRastreo !== '' && this.#parts.book.hasTrackingKey(institution, this.#today(), claveRastreo);
  }

  async #receiveAll(payments: readonly Payment[], conduct: Conduct): Promise<BookEntry[]> {
    return Promise.all(payments.map((payment) => this.#receive(payment, conduct)));
  }

  async #receive(payment: Payment, conduct: Conduct): Promise<BookEntry> {
    const entry = this.#parts.book.add(
      paymentReceived(payment, this.#given('R'), conduct.notification === 'lost' ? 'none' : this.#due()),
    );
    await this.#parts.journal.append(entry);
    if (conduct.notification === 'with_query') this.#heldForQuery.push(entry);
    else this.#tell(entry, conduct.sendings ?? 1);
    return entry;
  }

  #scheduleChange(entry: BookEntry): void {
    if (entry.next === null || this.#isClosed) return;
    const { settleMs, returnMs } = this.#parts.delays;
    const dueAt = Date.parse(entry.at) + (entry.next === 'return' ? returnMs : settleMs);
    const delayMs = Math.max(0, dueAt - this.#parts.clock.now());
    this.#timers.after(delayMs, () => this.#inBackground(this.#change(entry.direction, entry.id)));
  }

  async #change(direction: Direction, id: number): Promise<void> {
    const latest = this.#parts.book.latest(direction, id);
    if (latest === undefined || latest.next === null) return;
    const entry = await this.#follow(latest, this.#changeOf(latest, latest.next));
    if (entry.kind === 'order_returned') await this.#bringBack(entry);
    this.#tell(entry, 1);
  }

  #changeOf(latest: BookEntry, next: NonNullable<Transfer['next']>): Change {
    const tsLiquidacion = this.#parts.clock.now();
    const notification = this.#due();
    switch (next) {
      case 'settle':
        return { kind: 'order_settled', estado: 'LQ', tsLiquidacion, next: null, notification };
      case 'settle_then_return':
        return { kind: 'order_settled', estado: 'LQ', tsLiquidacion, next: 'return', notification };
      case 'cancel':
        return { kind: 'order_cancelled', estado: 'CN', next: null, notification };
      case 'return':
        return latest.direction === 'R'
          ? { kind: 'returned', estado: 'D', next: null }
          : { kind: 'order_returned', estado: 'D', causaDevolucion: accountUnknown, next: null, notification };
    }
  }

  async #bringBack(order: BookEntry): Promise<void> {
    const notification = this.#parts.faults.orders === 'return_told' ? this.#due() : 'none';
    const entry = this.#parts.book.add(orderCameBack(order, this.#given('R'), notification));
    await this.#parts.journal.append(entry);
    this.#tell(entry, 1);
  }

  #tellHeld(listed: ReadonlySet<number>): void {
    const told = this.#heldForQuery.filter(({ id }) => listed.has(id));
    this.#heldForQuery = this.#heldForQuery.filter(({ id }) => !listed.has(id));
    for (const entry of told) this.#tell(entry, 1);
  }

  #tell(entry: BookEntry, sendings: number): void {
    if (this.#isClosed || entry.notification !== 'due') return;
    this.#parts.deliveries?.tell(entry, sendings);
  }

  /** A notification switched off when its time comes is lost, not late. */
  #due(): BookEntry['notification'] {
    return this.#parts.deliveries === undefined || this.#parts.faults.notifications === 'off' ? 'none' : 'due';
  }

  /** Adds the next entry of a transfer to the book, writes it down and sees to what it leads to. */
  async #follow(before: BookEntry, change: Change): Promise<BookEntry> {
    const entry = this.#parts.book.add({ ...before, ...change, at: this.#time() });
    if (change.next !== undefined) this.#scheduleChange(entry);
    await this.#parts.journal.append(entry);
    return entry;
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch(this.#parts.onBookFailure);
  }

  #given(direction: Direction): Given {
    const { book, clock } = this.#parts;
    return { id: book.nextId(direction), fechaOperacion: this.#today(), now: clock.now() };
  }

  #today(): string {
    return operationDate(this.#parts.clock.now());
  }

  #time(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

/** An answer that says the same again changes nothing; one that contradicts the first is only noted. */
function changeByAnswer({ estado }: BookEntry, answer: AbonoAnswer): Change | undefined {
  if (estado !== 'LQ') {
    return (estado === 'CCO') === (answer.kind === 'confirm') ? undefined : { kind: 'contradicted' };
  }
  const notification = 'accepted';
  return answer.kind === 'confirm'
    ? { kind: 'confirmed', estado: 'CCO', notification }
    : { kind: 'return_asked', estado: 'XD', causaDevolucion: answer.reason, notification, next: 'return' };
}
