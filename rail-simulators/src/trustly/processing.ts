/**
 * Trustly's processing of orders: opens them, lets payers pay, notifies and refunds. It contains neither HTTP code nor pages.
 */
import { MINUTE_MS } from '../clock.ts';
import { sumOf, toText } from '../kernel/amounts.ts';
import { type Happened, type Notifies, Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, CarriedOut, Notification, Order } from './book.ts';
import { type ConductName, conductOf } from './conducts.ts';
import type { Faults } from './faults.ts';
import type { CheckedCall, DepositRequest, ErrorCode, RefundRequest } from './requests.ts';

/**
 * `openMs` is the lifetime of a page without a payment, `settleMs` the time from a slow payer's agreement to the outcome, and
 * `debitMs` the time from a credit to its debit.
 */
export const USUAL_DELAYS = {
  openMs: 15 * MINUTE_MS,
  settleMs: 10_000,
  debitMs: 30_000,
  lateMs: 10_000,
  holdMs: MINUTE_MS,
};
export type TrustlyDelays = typeof USUAL_DELAYS;
export type TrustlyWorks = Works<Book, Faults, TrustlyDelays>;

type Change = Pick<BookEntry, 'kind'> &
  Partial<Pick<BookEntry, 'call' | 'refund' | 'state' | 'conduct' | 'credited' | 'refunded'>>;
type Message = Pick<Notification, 'method' | 'amount'>;

const DIFFERENCE_CENTS = 100n;
const FIRST_NOTIFICATION_ID = 9_870_000_000;

export class Trustly extends Provider<BookEntry, Book, Faults, TrustlyDelays> {
  readonly #deliveries: Notifies<BookEntry>;
  readonly #uuidOf: (name: string) => string;

  /** `uuidOf` returns a constant, unpredictable UUID for each name. */
  constructor(works: TrustlyWorks, deliveries: Notifies<BookEntry>, uuidOf: (name: string) => string) {
    super(works, deliveries);
    this.#deliveries = deliveries;
    this.#uuidOf = uuidOf;
  }

  /** Returns the earlier result of the same call. Different content with that UUID is a different call. */
  carriedOut({ uuid, fingerprint }: CheckedCall): BookEntry | undefined {
    const before = this.works.book.ofCall(uuid);
    return before?.call?.fingerprint === fingerprint ? before : undefined;
  }

  async deposit(request: DepositRequest, call: CarriedOut): Promise<BookEntry | ErrorCode> {
    const { book, faults } = this.works;
    if (book.ofMessage(request.messageId) !== undefined) return 637;
    const orderId = book.nextOrderId();
    const order: Order = {
      ...request,
      orderId,
      sessionId: this.#uuidOf(`session ${orderId}`),
      state: 'open',
      conduct: null,
      credited: '0.00',
      refunded: '0.00',
    };
    const { entry } = await this.#add(order, { kind: 'ordered', call }, null);
    if (faults.deposits === 'paid_before_reply') await this.act(entry.orderId, 'pay', true);
    return entry;
  }

  /**
   * Makes a payer act. Resolves to undefined if the order is no longer open. With `untilNotified`, resolves after the first
   * attempts to notify.
   */
  async act(orderId: string, conduct: ConductName | 'cancel', untilNotified = false): Promise<BookEntry | undefined> {
    const open = this.works.book.latest(orderId);
    if (open?.state !== 'open') return undefined;
    const happened = conduct === 'cancel' ? [await this.#cancel(open)] : await this.#agree(open, conduct);
    if (untilNotified) await Promise.all(happened.map(({ notified }) => notified));
    return this.works.book.latest(orderId);
  }

  async refund({ orderId, amount, reference }: RefundRequest, call: CarriedOut): Promise<BookEntry | ErrorCode> {
    const order = this.works.book.latest(orderId);
    if (order?.state !== 'credited') return 623;
    const refunded = cents(order.refunded) + cents(amount);
    if (refunded > cents(order.credited)) return 615;
    const refund = { amount, reference };
    const { entry } = await this.#add(order, { kind: 'refunded', refunded: toText(refunded), refund, call }, null);
    return entry;
  }

  acknowledged({ orderId, notification }: BookEntry): void {
    const { book } = this.works;
    const order = book.latest(orderId);
    if (order === undefined || notification === null || book.isAcknowledged(notification.notificationId)) return;
    this.inBackground(
      this.record<BookEntry>({ ...order, kind: 'acknowledged', notification, call: null, refund: null }),
    );
  }

  override resume(): void {
    super.resume();
    for (const entry of this.works.book.unacknowledged()) void this.#deliveries.notify(entry);
  }

  async #agree(order: BookEntry, conduct: ConductName): Promise<Happened<BookEntry>[]> {
    const pending = { method: 'pending', amount: order.amount } as const;
    const agreed = await this.#add(order, { kind: 'authorised', state: 'pending', conduct }, pending);
    const account = this.works.faults.include_account
      ? [await this.#add(agreed.entry, { kind: 'authorised' }, { method: 'account', amount: '' })]
      : [];
    const credits = conductOf(conduct).isSlow ? [] : await this.#credit(agreed.entry);
    return [agreed, ...account, ...credits];
  }

  async #credit(order: BookEntry): Promise<Happened<BookEntry>[]> {
    const happened: Happened<BookEntry>[] = [];
    let latest = order;
    for (const how of conductOf(order.conduct ?? 'pay').credits) {
      const difference = { exact: 0n, less: -DIFFERENCE_CENTS, more: DIFFERENCE_CENTS }[how];
      const amount = toText(cents(order.amount) + difference);
      const credited = toText(cents(latest.credited) + cents(amount));
      const change = { kind: 'credited', state: 'credited', credited } as const;
      const credit = await this.#add(latest, change, { method: 'credit', amount });
      happened.push(credit);
      latest = credit.entry;
    }
    return happened;
  }

  #cancel(order: BookEntry): Promise<Happened<BookEntry>> {
    return this.#add(order, { kind: 'cancelled', state: 'cancelled' }, { method: 'cancel', amount: '' });
  }

  #debit(order: BookEntry): Promise<Happened<BookEntry>> {
    return this.#add(order, { kind: 'debited', state: 'debited' }, { method: 'debit', amount: order.credited });
  }

  protected schedule(order: BookEntry): void {
    const { openMs, settleMs, debitMs } = this.works.delays;
    const { credits = [], afterwards } = order.conduct === null ? {} : conductOf(order.conduct);
    if (order.state === 'open') this.#next(order, openMs, (open) => this.#cancel(open));
    if (order.state === 'pending')
      this.#next(order, settleMs, (pending) => (credits.length === 0 ? this.#cancel(pending) : this.#credit(pending)));
    if (order.state === 'credited' && afterwards === 'debit')
      this.#next(order, debitMs, (credited) => this.#debit(credited));
  }

  #next({ at, orderId, state }: BookEntry, delayMs: number, act: (order: BookEntry) => Promise<unknown>): void {
    this.after(at, delayMs, async () => {
      const latest = this.works.book.latest(orderId);
      if (latest?.state === state) await act(latest);
    });
  }

  async #add(order: Order, change: Change, message: Message | null): Promise<Happened<BookEntry>> {
    const isNews = change.kind === 'ordered' || (change.state ?? order.state) !== order.state;
    const notification = message === null || this.#isLost(message) ? null : this.#notification(message);
    const entry = await this.record<BookEntry>({ ...order, call: null, refund: null, ...change, notification });
    if (isNews) this.schedule(entry);
    return { entry, notified: notification === null ? Promise.resolve() : this.notify(entry) };
  }

  #isLost({ method }: Message): boolean {
    const { notifications } = this.works.faults;
    return notifications === 'off' || (notifications === 'credits_off' && method === 'credit');
  }

  #notification({ method, amount }: Message): Notification {
    const notificationId = String(FIRST_NOTIFICATION_ID + this.works.book.entries().length);
    return { method, amount, notificationId, uuid: this.#uuidOf(`notification ${notificationId}`) };
  }
}

const cents = (amount: string): bigint => sumOf([amount]);
