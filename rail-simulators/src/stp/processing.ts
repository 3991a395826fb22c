/**
 * STP's processing of money: receives payers' transfers, requests their confirmation from the client, returns those that the
 * client rejects, and executes the client's orders. It contains no HTTP code.
 */
import { type Notifies, Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Direction, Transfer } from './book.ts';
import type { Faults } from './faults.ts';
import { type Given, orderAccepted, orderCameBack, paymentReceived } from './new-transfers.ts';
import { operationDate } from './operation-date.ts';
import type { Conduct, Payment, PayRequest } from './payers.ts';
import { keyUsed, type OrderFields, type OrderRefusal, refusedByBehaviour } from './requests.ts';

/** The delays of STP's automatic events; tests shorten these. */
export const USUAL_DELAYS = {
  /** The time from the registration of an order to its outcome. */
  settleMs: 2_000,
  /** The time from the settlement to a return, and from `devolver` to the completed return. */
  returnMs: 3_000,
  /** The delay of a late payer and of a late notification. */
  lateMs: 10_000,
  holdMs: 60_000,
  /** The longest pause between two notifications without a response. */
  longestPauseMs: 60_000,
};
export type StpDelays = typeof USUAL_DELAYS;
export type StpWorks = Works<Book, Faults, StpDelays>;

/** `give_back` contains the number of its reason. */
export type AbonoAnswer = { readonly kind: 'confirm' } | { readonly kind: 'give_back'; readonly reason: number };

export type Registered =
  | { readonly kind: 'accepted'; readonly id: number }
  | { readonly kind: 'refused'; readonly refusal: OrderRefusal }
  | { readonly kind: 'unanswered' | 'error_500' };

export type Paid =
  | { readonly kind: 'paid'; readonly transfers: readonly Transfer[] }
  | { readonly kind: 'due'; readonly at: number }
  | { readonly kind: 'tracking_key_used' };

type Change = Partial<Omit<BookEntry, 'seq' | 'at'>> & Pick<BookEntry, 'kind'>;

const PLANS: Readonly<Record<Exclude<Faults['orders'], 'refuse' | 'lose'>, Transfer['next']>> = {
  settle: 'settle',
  settle_unanswered: 'settle',
  settle_500: 'settle',
  cancel: 'cancel',
  return: 'settle_then_return',
  return_notified: 'settle_then_return',
  stay: null,
};

const ACCOUNT_UNKNOWN = 1;

export class Stp extends Provider<BookEntry, Book, Faults, StpDelays> {
  readonly #deliveries: Notifies<BookEntry> | undefined;
  /** Received transfers that STP notifies only while the client requests their list. */
  #heldForQuery: BookEntry[] = [];

  /** If `deliveries` is undefined, STP sends no notifications. */
  constructor(works: StpWorks, deliveries: Notifies<BookEntry> | undefined) {
    super(works, deliveries);
    this.#deliveries = deliveries;
  }

  /** Makes payers pay. Resolves once the book is written; rejects if writing fails. */
  async pay({ conduct, payments, afterMs }: PayRequest): Promise<Paid> {
    if (payments.some((payment) => this.#isKeyUsed(payment))) return { kind: 'tracking_key_used' };
    if (conduct.isLate) {
      const waitMs = afterMs ?? this.works.delays.lateMs;
      this.after(this.time(), waitMs, () => this.#receiveAll(payments, conduct));
      return { kind: 'due', at: this.works.clock.now() + waitMs };
    }
    return { kind: 'paid', transfers: await this.#receiveAll(payments, conduct) };
  }

  /** Accepts an order that passed its checks. Resolves once the book is written; rejects if writing fails. */
  async register(fields: OrderFields): Promise<Registered> {
    const { book, faults } = this.works;
    const { orders } = faults;
    if (orders === 'lose') return { kind: 'unanswered' };
    if (orders === 'refuse') return { kind: 'refused', refusal: refusedByBehaviour(fields) };
    const claveRastreo = fields['claveRastreo'] ?? '';
    const fechaOperacion = this.#today();
    if (book.hasTrackingKey('STP', fechaOperacion, claveRastreo)) {
      return { kind: 'refused', refusal: keyUsed(claveRastreo, fechaOperacion) };
    }
    const entry = this.add<BookEntry>(orderAccepted(fields, this.#given('E'), PLANS[orders]));
    this.schedule(entry);
    await this.write(entry);
    if (orders === 'settle_unanswered') return { kind: 'unanswered' };
    return orders === 'settle_500' ? { kind: 'error_500' } : { kind: 'accepted', id: entry.id };
  }

  /**
   * Returns the transfers of a date, or of the current operation date if none is given. The current date is listed only
   * without a date: a client that sends it may get an empty list at STP.
   */
  list(direction: Direction, fechaOperacion: string): readonly BookEntry[] {
    const today = this.#today();
    if (fechaOperacion === today) return [];
    const listed = this.works.book.ofDate(direction, fechaOperacion === '' ? today : fechaOperacion);
    if (direction === 'R') this.#notifyHeld(new Set(listed.map(({ id }) => id)));
    return listed;
  }

  abonoAnswered({ id }: BookEntry, answer: AbonoAnswer): void {
    const latest = this.works.book.find('R', id);
    const change = latest && changeByAnswer(latest, answer);
    if (change) this.inBackground(this.#follow(latest, change));
  }

  stateAccepted({ id, estado }: BookEntry): void {
    const latest = this.works.book.find('E', id);
    if (latest?.notification !== 'due' || latest.estado !== estado) return;
    this.inBackground(this.#follow(latest, { kind: 'state_acknowledged', notification: 'accepted' }));
  }

  override resume(): void {
    for (const entry of this.works.book.all()) {
      this.schedule(entry);
      this.#notify(entry, 1);
    }
  }

  override stop(): void {
    super.stop();
    this.#heldForQuery = [];
  }

  #isKeyUsed({ institution, claveRastreo }: Payment): boolean {
    return claveRastreo !== '' && this.works.book.hasTrackingKey(institution, this.#today(), claveRastreo);
  }

  async #receiveAll(payments: readonly Payment[], conduct: Conduct): Promise<BookEntry[]> {
    return Promise.all(payments.map((payment) => this.#receive(payment, conduct)));
  }

  async #receive(payment: Payment, conduct: Conduct): Promise<BookEntry> {
    const notification = conduct.notification === 'lost' ? 'none' : this.#due();
    const entry = await this.record<BookEntry>(paymentReceived(payment, this.#given('R'), notification));
    if (conduct.notification === 'with_query') this.#heldForQuery.push(entry);
    else this.#notify(entry, conduct.sendings ?? 1);
    return entry;
  }

  protected schedule({ direction, id, next, at }: BookEntry): void {
    if (next === null) return;
    const { settleMs, returnMs } = this.works.delays;
    this.after(at, next === 'return' ? returnMs : settleMs, () => this.#change(direction, id));
  }

  async #change(direction: Direction, id: number): Promise<void> {
    const latest = this.works.book.find(direction, id);
    if (latest === undefined || latest.next === null) return;
    const entry = await this.#follow(latest, this.#changeOf(latest, latest.next));
    if (entry.kind === 'order_returned') await this.#bringBack(entry);
    this.#notify(entry, 1);
  }

  #changeOf(latest: BookEntry, next: NonNullable<Transfer['next']>): Change {
    const tsLiquidacion = this.works.clock.now();
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
          : { kind: 'order_returned', estado: 'D', causaDevolucion: ACCOUNT_UNKNOWN, next: null, notification };
    }
  }

  async #bringBack(order: BookEntry): Promise<void> {
    const notification = this.works.faults.orders === 'return_notified' ? this.#due() : 'none';
    this.#notify(await this.record<BookEntry>(orderCameBack(order, this.#given('R'), notification)), 1);
  }

  #notifyHeld(listed: ReadonlySet<number>): void {
    const notified = this.#heldForQuery.filter(({ id }) => listed.has(id));
    this.#heldForQuery = this.#heldForQuery.filter(({ id }) => !listed.has(id));
    for (const entry of notified) this.#notify(entry, 1);
  }

  #notify(entry: BookEntry, sendings: number): void {
    if (entry.notification === 'due') for (let sent = 0; sent < sendings; sent += 1) void this.notify(entry);
  }

  /** A notification that is off at its due time is lost, not late. */
  #due(): BookEntry['notification'] {
    return this.#deliveries === undefined || this.works.faults.notifications === 'off' ? 'none' : 'due';
  }

  async #follow(before: BookEntry, change: Change): Promise<BookEntry> {
    const entry = this.add<BookEntry>({ ...before, ...change });
    if (change.next !== undefined) this.schedule(entry);
    await this.write(entry);
    return entry;
  }

  #given(direction: Direction): Given {
    const { book, clock } = this.works;
    return { id: book.nextId(direction), fechaOperacion: this.#today(), now: clock.now() };
  }

  #today(): string {
    return operationDate(this.works.clock.now());
  }
}

/** A repeated response has no effect. A contradictory response is only recorded. */
function changeByAnswer({ estado }: BookEntry, answer: AbonoAnswer): Change | undefined {
  if (estado !== 'LQ') {
    return (estado === 'CCO') === (answer.kind === 'confirm') ? undefined : { kind: 'contradicted' };
  }
  const notification = 'accepted';
  return answer.kind === 'confirm'
    ? { kind: 'confirmed', estado: 'CCO', notification }
    : { kind: 'return_requested', estado: 'XD', causaDevolucion: answer.reason, notification, next: 'return' };
}
