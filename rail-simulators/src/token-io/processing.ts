/**
 * Token.io's processing of payments: accepts them, lets payers agree at their banks, credits the settlement account, notifies
 * and refunds. It contains neither HTTP code nor pages.
 */
import { MINUTE_MS } from '../clock.ts';
import { sumOf, toText } from '../kernel/amounts.ts';
import { type Happened, type Notifies, Provider, type Works } from '../kernel/provider.ts';
import {
  type Book,
  type BookEntry,
  type Initiation,
  isFailed,
  type Payment,
  type Refund,
  type Webhook,
} from './book.ts';
import { type ConductName, type Pace, type Step, stepsOf } from './conducts.ts';
import { failedPrecondition, invalid, notFound, notUnique, type Refusal } from './errors.ts';
import type { Faults } from './faults.ts';
import type { RefundRequest } from './requests.ts';

/** The delays of automatic events at Token.io and the banks; tests shorten these. */
export const USUAL_DELAYS = {
  /** How long a payer can agree. */
  openMs: 40 * MINUTE_MS,
  /** The time until a slow bank has returned its URL. */
  prepareMs: 2_000,
  /** The duration of each step at the payer's bank. */
  bankMs: 1_000,
  /** The time from the bank's agreement to the arrival of the money, or to its failure. */
  settleMs: 2_000,
  /** The time until the outcome of a refund. */
  refundMs: 3_000,
  lateMs: 10_000,
  holdMs: MINUTE_MS,
};
export type TokenIoDelays = typeof USUAL_DELAYS;
export type TokenIoWorks = Works<Book, Faults, TokenIoDelays>;

type Change = Pick<BookEntry, 'kind'> &
  Partial<
    Pick<BookEntry, 'status' | 'reason' | 'bankStatus' | 'conduct' | 'nextStep' | 'credited' | 'refunded' | 'refund'>
  >;

export type Done<Made> = Made | { readonly refusal: Refusal };

const REDIRECTING = 'INITIATION_PENDING_REDIRECT_AUTH';
const PREPARING = 'INITIATION_PENDING';
const BEFORE: ReadonlySet<string> = new Set([PREPARING, REDIRECTING]);

export class TokenIo extends Provider<BookEntry, Book, Faults, TokenIoDelays> {
  readonly #webhooks: Notifies<BookEntry>;
  readonly #nameOf: (name: string) => string;
  /** Payments whose steps run without delay. No timer may repeat a step of such a payment. */
  readonly #playedAtOnce = new Set<string>();

  /** `nameOf` returns a constant, unpredictable string for each name. */
  constructor(works: TokenIoWorks, webhooks: Notifies<BookEntry>, nameOf: (name: string) => string) {
    super(works, webhooks);
    this.#webhooks = webhooks;
    this.#nameOf = nameOf;
  }

  async initiate(order: Initiation): Promise<Done<BookEntry>> {
    const { book, faults } = this.works;
    if (book.all().some(({ refId }) => refId === order.refId)) return { refusal: notUnique('initiation.refId') };
    const name = this.#nameOf(`payment ${book.entries().length}`);
    const payment: Payment = {
      ...order,
      id: `pm2:${name}:2gFUX1NDgoi`,
      session: this.#nameOf(`session ${name}`),
      createdAt: this.time(),
      status: faults.payments === 'slow_bank' ? PREPARING : REDIRECTING,
      reason: '',
      bankStatus: '',
      conduct: null,
      nextStep: 0,
      credited: '0.00',
      refunded: '0.00',
    };
    const { entry } = await this.#add(payment, { kind: 'initiated' });
    if (faults.payments === 'notified_before_reply') await this.act(entry.id, 'agree', true);
    return entry;
  }

  /**
   * Makes a payer act. Resolves to undefined if the payment no longer waits for a payer. With `untilNotified`, runs all steps
   * and notifies each.
   */
  async act(id: string, conduct: ConductName, untilNotified = false): Promise<BookEntry | undefined> {
    const open = this.works.book.latest(id);
    if (open?.status !== REDIRECTING) return undefined;
    if (untilNotified) this.#playedAtOnce.add(id);
    let happened = await this.#step({ ...open, conduct });
    while (untilNotified && happened !== undefined) {
      await happened.notified;
      happened = await this.#step(happened.entry);
    }
    this.#playedAtOnce.delete(id);
    return this.works.book.latest(id);
  }

  async cancel(id: string): Promise<Done<BookEntry>> {
    const payment = this.works.book.latest(id);
    if (payment === undefined) return { refusal: notFound('The payment') };
    if (!BEFORE.has(payment.status)) return { refusal: failedPrecondition('The payment can not be canceled any more') };
    return (await this.#add(payment, { kind: 'status', status: 'CANCELED' })).entry;
  }

  async refund(request: RefundRequest): Promise<Done<Refund>> {
    const { book } = this.works;
    const payment = book.latest(request.originalPaymentId);
    if (payment === undefined) return { refusal: notFound('The original payment') };
    if (book.refunds().some(({ refId }) => refId === request.refId)) return { refusal: notUnique('initiation.refId') };
    const refunded = sumOf([payment.refunded, request.amount]);
    if (refunded > sumOf([payment.credited])) return { refusal: invalid('initiation.amount.value') };
    const refund: Refund = {
      id: `rf:${this.#nameOf(`refund ${book.entries().length}`)}:2gFUX1NDcm`,
      refId: request.refId,
      amount: request.amount,
      createdAt: this.time(),
      status: 'INITIATION_PROCESSING',
      sent: request.sent,
    };
    await this.#add(payment, { kind: 'refund_initiated', refunded: toText(refunded), refund });
    return refund;
  }

  accepted({ id, webhook }: BookEntry): void {
    const { book } = this.works;
    const payment = book.latest(id);
    if (payment === undefined || webhook === null || book.isAccepted(webhook.id)) return;
    this.inBackground(this.record<BookEntry>({ ...payment, kind: 'acknowledged', webhook, refund: null }));
  }

  override resume(): void {
    super.resume();
    const { book } = this.works;
    for (const refund of book.refunds()) this.#scheduleRefund(refund, book.paymentIdOf(refund.id));
    for (const entry of book.unaccepted()) void this.#webhooks.notify(entry);
  }

  /** Runs the next step of a payment's behaviour. Resolves to undefined if there is none. */
  async #step(payment: Payment): Promise<Happened<BookEntry> | undefined> {
    const { conduct, nextStep } = payment;
    const step = nextStepOf(payment);
    if (step === undefined) return undefined;
    const { status, bankStatus = payment.bankStatus, reason = '' } = step;
    const change = { status, reason, bankStatus, conduct, nextStep: nextStep + 1 };
    if (!step.credits) return this.#add(payment, { kind: 'status', ...change });
    const credited = await this.#add(payment, { kind: 'credited', credited: payment.amount, nextStep: nextStep + 1 });
    return this.#add(credited.entry, { kind: 'status', ...change });
  }

  protected schedule(payment: BookEntry): void {
    const { openMs, prepareMs } = this.works.delays;
    const { status, createdAt, at, id } = payment;
    const step = nextStepOf(payment);
    if (step !== undefined && !this.#playedAtOnce.has(id))
      this.#next(payment, at, this.#msOf(step.pace), (latest) => this.#step(latest));
    const to = (next: string, reason = '') => ({ kind: 'status', status: next, reason }) as const;
    if (status === PREPARING) this.#next(payment, createdAt, prepareMs, (latest) => this.#add(latest, to(REDIRECTING)));
    const expired = to('INITIATION_EXPIRED', 'The payment was not authorized in time');
    if (status === REDIRECTING) this.#next(payment, createdAt, openMs, (latest) => this.#add(latest, expired));
  }

  #msOf(pace: Pace): number {
    const { bankMs, settleMs } = this.works.delays;
    return { at_once: 0, bank: bankMs, settlement: settleMs }[pace];
  }

  #scheduleRefund({ id, status, createdAt }: Refund, paymentId: string): void {
    if (status !== 'INITIATION_PROCESSING') return;
    this.after(createdAt, this.works.delays.refundMs, () => this.#endRefund(id, paymentId));
  }

  async #endRefund(refundId: string, paymentId: string): Promise<void> {
    const { book, faults } = this.works;
    const [refund, payment] = [book.refund(refundId), book.latest(paymentId)];
    if (refund?.status !== 'INITIATION_PROCESSING' || payment === undefined) return;
    const status = {
      completed: 'INITIATION_COMPLETED',
      rejected: 'INITIATION_REJECTED',
      no_final_status: 'INITIATION_NO_FINAL_STATUS_AVAILABLE',
    }[faults.refund_outcome];
    const ended = { ...refund, status };
    const refunded = isFailed(ended) ? toText(sumOf([payment.refunded]) - sumOf([refund.amount])) : payment.refunded;
    await this.#add(payment, { kind: 'refund_status', refunded, refund: ended });
  }

  #next(
    { id, status, nextStep }: BookEntry,
    since: string,
    delayMs: number,
    act: (latest: BookEntry) => Promise<unknown>,
  ): void {
    this.after(since, delayMs, async () => {
      const latest = this.works.book.latest(id);
      if (latest?.status === status && latest.nextStep === nextStep) await act(latest);
    });
  }

  async #add(payment: Payment, { kind, refund = null, ...change }: Change): Promise<Happened<BookEntry>> {
    const webhook = this.works.faults.webhooks === 'off' ? null : this.#webhookOf(kind);
    const entry = await this.record<BookEntry>({ ...payment, ...change, kind, refund, webhook });
    if (kind === 'initiated' || kind === 'status') this.schedule(entry);
    if (kind === 'refund_initiated' && refund !== null) this.#scheduleRefund(refund, entry.id);
    return { entry, notified: webhook === null ? Promise.resolve() : this.notify(entry) };
  }

  #webhookOf(kind: BookEntry['kind']): Webhook {
    const id = `wh-${this.#nameOf(`webhook ${this.works.book.entries().length}`)}`;
    if (kind === 'credited') return { id, event: 'VIRTUAL_ACCOUNT_CREDIT_RECEIVED' };
    const isRefund = kind === 'refund_initiated' || kind === 'refund_status';
    return { id, event: isRefund ? 'REFUND_STATUS_CHANGED' : 'PAYMENT_STATUS_CHANGED' };
  }
}

/** Returns undefined if its behaviour has no more steps. */
function nextStepOf({ conduct, nextStep }: Payment): Step | undefined {
  return conduct === null ? undefined : stepsOf(conduct)[nextStep];
}
