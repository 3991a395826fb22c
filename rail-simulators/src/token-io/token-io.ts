/**
 * What Token.io does with payments: takes them, has payers agree at their banks, sees the money come to the settlement
 * account, tells the client, gives back. Writes the book before anything is said, and resumes from it what a restart broke
 * off. Knows neither HTTP nor pages.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import { sum, toText } from './amounts.ts';
import {
  type Book,
  type BookEntry,
  type Initiation,
  isFailed,
  type Payment,
  type Refund,
  type Webhook,
} from './book.ts';
import { type ConductName, type Pace, stepsOf } from './conducts.ts';
import { failedPrecondition, invalid, notFound, notUnique, type Refusal } from './errors.ts';
import type { Faults } from './faults.ts';
import type { RefundRequest } from './requests.ts';
import type { Webhooks } from './webhooks.ts';

/** How long Token.io and the banks take over what they do by themselves; tests shorten these. */
export interface TokenIoDelays {
  /** How long a payer has to agree. */
  readonly openMs: number;
  /** Until a slow bank has said where its payer goes. */
  readonly prepareMs: number;
  /** Each step of the payer's bank. */
  readonly bankMs: number;
  /** From the bank's agreement to the money on the account, or to giving it up. */
  readonly settleMs: number;
  /** Until a refund has ended. */
  readonly refundMs: number;
  /** How late a late webhook is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

const minuteMs = 60_000;
export const usualDelays: TokenIoDelays = {
  openMs: 40 * minuteMs,
  prepareMs: 2_000,
  bankMs: 1_000,
  settleMs: 2_000,
  refundMs: 3_000,
  lateMs: 10_000,
  holdMs: minuteMs,
};

export interface TokenIoParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: TokenIoDelays;
  readonly faults: Readonly<Faults>;
  readonly webhooks: Webhooks;
  /** A text for that name: always the same, and one that nobody else can guess. */
  readonly nameOf: (name: string) => string;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

type Change = Pick<BookEntry, 'kind'> &
  Partial<
    Pick<BookEntry, 'status' | 'reason' | 'bankStatus' | 'conduct' | 'nextStep' | 'credited' | 'refunded' | 'refund'>
  >;

interface Happened {
  readonly entry: BookEntry;
  /** Resolves after the first attempt to tell it. */
  readonly told: Promise<void>;
}

export type Done<Made> = Made | { readonly refusal: Refusal };

const redirecting = 'INITIATION_PENDING_REDIRECT_AUTH';
const preparing = 'INITIATION_PENDING';
const before: ReadonlySet<string> = new Set([preparing, redirecting]);

export class TokenIo {
  readonly #parts: TokenIoParts;
  readonly #timers: TimerSet;
  /** Payments whose steps are not waited for: no timer takes one of them a second time. */
  readonly #playedAtOnce = new Set<string>();
  #isClosed = false;

  constructor(parts: TokenIoParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  async initiate(order: Initiation): Promise<Done<BookEntry>> {
    const { book, faults, nameOf, clock } = this.#parts;
    if (book.payments().some(({ refId }) => refId === order.refId)) return { refusal: notUnique('initiation.refId') };
    const name = nameOf(`payment ${book.size}`);
    const payment: Payment = {
      ...order,
      id: `pm2:${name}:2gFUX1NDgoi`,
      session: nameOf(`session ${name}`),
      createdAt: new Date(clock.now()).toISOString(),
      status: faults.payments === 'slow_bank' ? preparing : redirecting,
      reason: '',
      bankStatus: '',
      conduct: null,
      nextStep: 0,
      credited: '0.00',
      refunded: '0.00',
    };
    const { entry } = await this.#add(payment, { kind: 'initiated' });
    if (faults.payments === 'told_before_reply') await this.act(entry.id, 'agree', true);
    return entry;
  }

  /** A payer acts; undefined when the payment no longer waits for one. With `untilTold`, to its end, each step told. */
  async act(id: string, conduct: ConductName, untilTold = false): Promise<BookEntry | undefined> {
    const open = this.#parts.book.payment(id);
    if (open?.status !== redirecting) return undefined;
    if (untilTold) this.#playedAtOnce.add(id);
    let happened = await this.#step({ ...open, conduct });
    while (untilTold && happened !== undefined) {
      await happened.told;
      happened = await this.#step(happened.entry);
    }
    this.#playedAtOnce.delete(id);
    return this.#parts.book.payment(id);
  }

  async cancel(id: string): Promise<Done<BookEntry>> {
    const payment = this.#parts.book.payment(id);
    if (payment === undefined) return { refusal: notFound('The payment') };
    if (!before.has(payment.status)) return { refusal: failedPrecondition('The payment can not be canceled any more') };
    return (await this.#add(payment, { kind: 'status', status: 'CANCELED' })).entry;
  }

  async refund(request: RefundRequest): Promise<Done<Refund>> {
    const { book, nameOf, clock } = this.#parts;
    const payment = book.payment(request.originalPaymentId);
    if (payment === undefined) return { refusal: notFound('The original payment') };
    if (book.refunds().some(({ refId }) => refId === request.refId)) return { refusal: notUnique('initiation.refId') };
    const refunded = sum([payment.refunded, request.amount]);
    if (refunded > sum([payment.credited])) return { refusal: invalid('initiation.amount.value') };
    const refund: Refund = {
      id: `rf:${nameOf(`refund ${book.size}`)}:2gFUX1NDcm`,
      refId: request.refId,
      amount: request.amount,
      createdAt: new Date(clock.now()).toISOString(),
      status: 'INITIATION_PROCESSING',
      sent: request.sent,
    };
    await this.#add(payment, { kind: 'refund_initiated', refunded: toText(refunded), refund });
    return refund;
  }

  accepted(entry: BookEntry): void {
    const { book, clock, journal } = this.#parts;
    const payment = book.payment(entry.id);
    if (payment === undefined || entry.webhook === null || book.isAccepted(entry.webhook.id)) return;
    const at = new Date(clock.now()).toISOString();
    const { webhook } = entry;
    this.#inBackground(journal.append(book.add({ ...payment, kind: 'accepted', at, webhook, refund: null })));
  }

  /** Takes up, after a restart, what is still to happen and to be told. */
  resume(): void {
    const { book, webhooks } = this.#parts;
    for (const payment of book.payments()) this.#schedule(payment);
    for (const refund of book.refunds()) this.#scheduleRefund(refund, book.paymentIdOf(refund.id));
    for (const entry of book.unaccepted()) void webhooks.tell(entry);
  }

  /** Stops for good: an entry that is still being written tells nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#parts.webhooks.stop();
  }

  /** The next step of a payment's conduct; undefined when it has none. */
  async #step(payment: Payment): Promise<Happened | undefined> {
    const { conduct, nextStep } = payment;
    const step = conduct === null ? undefined : stepsOf(conduct)[nextStep];
    if (step === undefined) return undefined;
    const { status, bankStatus = payment.bankStatus, reason = '' } = step;
    const change = { status, reason, bankStatus, conduct, nextStep: nextStep + 1 };
    if (!step.credits) return this.#add(payment, { kind: 'status', ...change });
    const credited = await this.#add(payment, { kind: 'credited', credited: payment.amount, nextStep: nextStep + 1 });
    return this.#add(credited.entry, { kind: 'status', ...change });
  }

  /** What happens next by itself to a payment. */
  #schedule(payment: BookEntry): void {
    if (this.#isClosed) return;
    const { openMs, prepareMs } = this.#parts.delays;
    const { conduct, nextStep, status, createdAt, at } = payment;
    const step = conduct === null ? undefined : stepsOf(conduct)[nextStep];
    if (step !== undefined && !this.#playedAtOnce.has(payment.id))
      this.#after(at, this.#msOf(step.pace), payment, (latest) => this.#step(latest));
    const to = (next: string, reason = '') => ({ kind: 'status', status: next, reason }) as const;
    if (status === preparing)
      this.#after(createdAt, prepareMs, payment, (latest) => this.#add(latest, to(redirecting)));
    if (status === redirecting)
      this.#after(createdAt, openMs, payment, (latest) =>
        this.#add(latest, to('INITIATION_EXPIRED', 'The payment was not authorized in time')),
      );
  }

  #msOf(pace: Pace): number {
    const { bankMs, settleMs } = this.#parts.delays;
    return { at_once: 0, bank: bankMs, settlement: settleMs }[pace];
  }

  #scheduleRefund(refund: Refund, paymentId: string): void {
    if (this.#isClosed || refund.status !== 'INITIATION_PROCESSING') return;
    const { clock, delays } = this.#parts;
    const dueMs = Math.max(0, Date.parse(refund.createdAt) + delays.refundMs - clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(this.#endRefund(refund.id, paymentId)));
  }

  async #endRefund(refundId: string, paymentId: string): Promise<void> {
    const { book, faults } = this.#parts;
    const [refund, payment] = [book.refund(refundId), book.payment(paymentId)];
    if (refund?.status !== 'INITIATION_PROCESSING' || payment === undefined) return;
    const status = {
      completed: 'INITIATION_COMPLETED',
      rejected: 'INITIATION_REJECTED',
      no_final_status: 'INITIATION_NO_FINAL_STATUS_AVAILABLE',
    }[faults.refund_outcome];
    const ended = { ...refund, status };
    const refunded = isFailed(ended) ? toText(sum([payment.refunded]) - sum([refund.amount])) : payment.refunded;
    await this.#add(payment, { kind: 'refund_status', refunded, refund: ended });
  }

  #after(since: string, delayMs: number, payment: BookEntry, act: (latest: BookEntry) => Promise<unknown>): void {
    const { book, clock } = this.#parts;
    const dueMs = Math.max(0, Date.parse(since) + delayMs - clock.now());
    this.#timers.after(dueMs, () => {
      const latest = book.payment(payment.id);
      if (latest?.status === payment.status && latest.nextStep === payment.nextStep) this.#inBackground(act(latest));
    });
  }

  /** Adds what happened to a payment to the book, writes it down, tells of it, and sees to what it leads to. */
  async #add(payment: Payment, { kind, refund = null, ...change }: Change): Promise<Happened> {
    const { book, journal, clock, webhooks, faults } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const webhook = faults.webhooks === 'off' ? null : this.#webhookOf(kind);
    const entry = book.add({ ...snapshotOf(payment), ...change, kind, at, refund, webhook });
    await journal.append(entry);
    if (this.#isClosed) return { entry, told: Promise.resolve() };
    if (kind === 'initiated' || kind === 'status') this.#schedule(entry);
    if (kind === 'refund_initiated' && refund !== null) this.#scheduleRefund(refund, entry.id);
    return { entry, told: webhook === null ? Promise.resolve() : webhooks.tell(entry) };
  }

  #webhookOf(kind: BookEntry['kind']): Webhook {
    const id = `wh-${this.#parts.nameOf(`webhook ${this.#parts.book.size}`)}`;
    if (kind === 'credited') return { id, event: 'VIRTUAL_ACCOUNT_CREDIT_RECEIVED' };
    const isRefund = kind === 'refund_initiated' || kind === 'refund_status';
    return { id, event: isRefund ? 'REFUND_STATUS_CHANGED' : 'PAYMENT_STATUS_CHANGED' };
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }
}

/** A payment without what its last entry said of that entry alone. */
function snapshotOf(payment: Payment & Partial<BookEntry>): Payment {
  const { seq, kind, at, refund, webhook, ...snapshot } = payment;
  return snapshot;
}
