/**
 * Adyen's processing of payments: accepts them, starts authentication, decides by the card number, refunds, and processes
 * chargebacks from banks. It contains no HTTP code.
 */
import { type Notifies, Provider, type Works } from '../kernel/provider.ts';
import { Authentications } from './authentications.ts';
import type { Book, BookEntry, Payment, WebhookEvent } from './book.ts';
import { type Behaviour, behaviourOf, NOT_AUTHENTICATED, REFUSAL_REASONS } from './cards.ts';
import type { Faults } from './faults.ts';
import { Ids } from './ids.ts';
import type { Amount, CheckedPayment } from './requests.ts';
import type { Authentication } from './three-d-secure.ts';

/**
 * `notifyMs` is the time from a response to its webhook, `decideMs` the time until a pending payment, refund or cancellation
 * is decided.
 */
export const USUAL_DELAYS = { notifyMs: 1_000, decideMs: 3_000, lateMs: 10_000, holdMs: 120_000 };
export type AdyenDelays = typeof USUAL_DELAYS;
export type AdyenWorks = Works<Book, Faults, AdyenDelays>;

/** The result of a payment request. `silent` means that Adyen has decided but never responds. */
export type PaymentResult =
  | { readonly kind: 'decided'; readonly entry: BookEntry; readonly resultCode: string }
  | { readonly kind: 'authenticate'; readonly authentication: Authentication }
  | { readonly kind: 'silent' };

type Change = Partial<Omit<BookEntry, 'seq' | 'at'>> & Pick<BookEntry, 'kind'>;

export class Adyen extends Provider<BookEntry, Book, Faults, AdyenDelays> {
  readonly authentications: Authentications;
  readonly #ids: Ids;
  readonly #isNotifying: boolean;
  readonly #behaviours = new Map<string, Behaviour>();

  /** If `webhooks` is undefined, Adyen sends none. */
  constructor(works: AdyenWorks, webhooks: Notifies<BookEntry> | undefined) {
    super(works, webhooks);
    this.#isNotifying = webhooks !== undefined;
    this.#ids = new Ids(String(works.clock.now()), works.book.entries().length);
    this.authentications = new Authentications(this.#ids);
  }

  async pay(request: CheckedPayment): Promise<PaymentResult> {
    const behaviour = behaviourOf(request.number);
    const isAuthenticated = behaviour.authentication !== 'none';
    const opened = await this.#record({ ...this.#newPayment(request), kind: 'opened' });
    this.#behaviours.set(opened.pspReference, behaviour);
    if (!isAuthenticated) return this.#decide(opened, behaviour);
    return { kind: 'authenticate', authentication: this.authentications.begin(opened, request, behaviour) };
  }

  /** Adds a captured payment from an earlier time, without a webhook. */
  async remember(earlier: Pick<BookEntry, 'pspReference' | 'reference' | 'currency' | 'value'>): Promise<void> {
    await this.#record({
      ...earlier,
      brand: 'visa',
      lastFour: '1111',
      kind: 'authorised',
      state: 'authorised',
      refusalCode: '',
      isCapturedAtOnce: true,
      isCaptured: true,
      refunded: 0,
      chargedBack: 0,
      event: null,
      acknowledges: null,
    });
  }

  /** Continues after the fingerprint, with a challenge or the decision. */
  async goOn(authentication: Authentication): Promise<PaymentResult> {
    const { pspReference } = authentication;
    const behaviour = this.#behaviourOf(pspReference);
    if (authentication.stage === 'fingerprint' && behaviour.authentication === 'fingerprint_challenge') {
      authentication.stage = 'challenge';
      return { kind: 'authenticate', authentication };
    }
    const hasAuthenticated = authentication.stage === 'fingerprint' || authentication.transStatus === 'Y';
    authentication.stage = 'done';
    const notAuthenticated: Behaviour = { authentication: 'none', outcome: 'refuse', refusalCode: NOT_AUTHENTICATED };
    return this.#decide(this.#entry(pspReference), hasAuthenticated ? behaviour : notAuthenticated);
  }

  /** Cancels an authorisation that was not captured, as the client requests. */
  cancel(payment: BookEntry): Promise<BookEntry> {
    const event = this.#event(payment, 'CANCELLATION', true, { pspReference: this.#ids.pspReference() });
    return this.#change(payment, { kind: 'cancelled', state: 'cancelled', event });
  }

  /** Accepts a refund and decides it later. */
  async refund(payment: BookEntry, { value }: Amount, merchantReference: string): Promise<string> {
    const pspReference = this.#ids.pspReference();
    await this.#change(payment, { kind: 'refund_accepted', event: null });
    this.#later(() => this.#decideRefund(payment.pspReference, value, { pspReference, merchantReference }));
    return pspReference;
  }

  /** Reverses the payment as the payer's bank would, without a request to Adyen. */
  chargeBack(payment: BookEntry, value: number): Promise<BookEntry> {
    const event = this.#event(payment, 'CHARGEBACK', true, {
      pspReference: disputeOf(payment),
      value,
      reason: 'Fraud',
    });
    return this.#change(payment, { kind: 'charged_back', chargedBack: payment.chargedBack + value, event });
  }

  reverseChargeback(payment: BookEntry): Promise<BookEntry> {
    const { chargedBack: value } = payment;
    const event = this.#event(payment, 'CHARGEBACK_REVERSED', true, { pspReference: disputeOf(payment), value });
    return this.#change(payment, { kind: 'chargeback_reversed', chargedBack: 0, event });
  }

  failCapture(payment: BookEntry): Promise<BookEntry> {
    const event = this.#event(payment, 'CAPTURE_FAILED', true, { pspReference: this.#ids.pspReference() });
    return this.#change(payment, { kind: 'capture_failed', isCaptured: false, event });
  }

  webhookAccepted({ pspReference, seq }: BookEntry): void {
    this.inBackground(
      this.#record({ ...this.#entry(pspReference), kind: 'acknowledged', event: null, acknowledges: seq }),
    );
  }

  /** After a restart, schedules due events and also resends unaccepted webhooks. */
  override resume(): void {
    for (const entry of this.works.book.unacknowledged()) this.#notifySoon(entry);
    super.resume();
  }

  override stop(): void {
    super.stop();
    this.authentications.clear();
    this.#behaviours.clear();
  }

  protected schedule({ pspReference, state }: BookEntry): void {
    if (state === 'pending') this.#later(() => this.#endWaiting(pspReference));
  }

  async #decide(payment: BookEntry, { outcome, refusalCode }: Behaviour): Promise<PaymentResult> {
    const isSilent = outcome === 'silent_authorise' || outcome === 'silent_refuse';
    const isWaiting = outcome.startsWith('pending_') || outcome === 'received_authorise';
    if (isWaiting) {
      const entry = await this.#change(payment, { kind: 'waiting', state: 'pending', refusalCode, event: null });
      this.#later(() => this.#endWaiting(entry.pspReference));
      return { kind: 'decided', entry, resultCode: outcome === 'received_authorise' ? 'Received' : 'Pending' };
    }
    const entry = await this.#end(payment, refusalCode);
    const codes: Readonly<Record<string, string>> = { error: 'Error', cancelled: 'Cancelled' };
    const resultCode = refusalCode === '' ? 'Authorised' : (codes[outcome] ?? 'Refused');
    return isSilent ? { kind: 'silent' } : { kind: 'decided', entry, resultCode };
  }

  async #endWaiting(pspReference: string): Promise<void> {
    const entry = this.#entry(pspReference);
    if (entry.state === 'pending') await this.#end(entry, entry.refusalCode);
  }

  /** Records the final result of a payment, which a webhook always reports as well. */
  #end(payment: BookEntry, refusalCode: string): Promise<BookEntry> {
    const isAuthorised = refusalCode === '';
    const reason = isAuthorised ? '' : (REFUSAL_REASONS[refusalCode] ?? 'Refused');
    const { pspReference } = payment;
    const event = this.#event(payment, 'AUTHORISATION', isAuthorised, { pspReference, originalReference: '', reason });
    const isCaptured = isAuthorised && payment.isCapturedAtOnce && this.works.faults.captures;
    return this.#change(
      payment,
      isAuthorised
        ? { kind: 'authorised', state: 'authorised', isCaptured, event }
        : { kind: 'refused', state: 'refused', refusalCode, event },
    );
  }

  async #decideRefund(of: string, value: number, names: Pick<WebhookEvent, 'pspReference' | 'merchantReference'>) {
    const payment = this.#entry(of);
    const left = payment.value - payment.refunded - payment.chargedBack;
    const mode = this.works.faults.refunds;
    const reason = payment.isCaptured
      ? value > left || mode === 'refuse'
        ? 'Insufficient balance on payment'
        : ''
      : "Transaction hasn't been captured, refund not possible";
    const about = { ...names, value, reason };
    if (reason !== '') {
      await this.#change(payment, { kind: 'refund_refused', event: this.#event(payment, 'REFUND', false, about) });
      return;
    }
    const refunded = payment.refunded + value;
    const event = this.#event(payment, 'REFUND', true, about);
    await this.#change(payment, { kind: 'refunded', refunded, event });
    if (mode === 'fail_later') this.#later(() => this.#failRefund(of, { ...about, reason: 'Refund Failed' }));
  }

  async #failRefund(of: string, about: Pick<WebhookEvent, 'pspReference' | 'merchantReference' | 'value' | 'reason'>) {
    const payment = this.#entry(of);
    const event = this.#event(payment, 'REFUND_FAILED', true, about);
    await this.#change(payment, { kind: 'refund_failed', refunded: payment.refunded - about.value, event });
  }

  #newPayment({
    reference,
    amount,
    brand,
    number,
    capturesAtOnce,
  }: CheckedPayment): Omit<BookEntry, 'seq' | 'at' | 'kind'> {
    const payment: Payment = {
      pspReference: this.#ids.pspReference(),
      reference,
      currency: amount.currency,
      value: amount.value,
      brand,
      lastFour: number.slice(-4),
      state: 'authenticating',
      refusalCode: '',
      isCapturedAtOnce: capturesAtOnce,
      isCaptured: false,
      refunded: 0,
      chargedBack: 0,
    };
    return { ...payment, event: null, acknowledges: null };
  }

  #event(payment: Payment, eventCode: string, success: boolean, change: Partial<WebhookEvent>): WebhookEvent {
    return {
      eventCode,
      success,
      pspReference: payment.pspReference,
      originalReference: payment.pspReference,
      merchantReference: payment.reference,
      value: payment.value,
      reason: '',
      ...change,
    };
  }

  #change(before: BookEntry, change: Change): Promise<BookEntry> {
    return this.#record({ ...this.#entry(before.pspReference), acknowledges: null, ...change });
  }

  async #record(entry: Omit<BookEntry, 'seq' | 'at'>): Promise<BookEntry> {
    const event = this.#isNotifying ? entry.event : null;
    const placed = await this.record<BookEntry>({ ...entry, event });
    if (event !== null && this.works.faults.webhooks === 'before_reply') await this.notify(placed);
    else if (event !== null) this.#notifySoon(placed);
    return placed;
  }

  #notifySoon(entry: BookEntry): void {
    this.after(this.time(), this.works.delays.notifyMs, () => this.notify(entry));
  }

  #later(work: () => Promise<unknown>): void {
    this.after(this.time(), this.works.delays.decideMs, work);
  }

  #behaviourOf(pspReference: string): Behaviour {
    return this.#behaviours.get(pspReference) ?? { authentication: 'none', outcome: 'authorise', refusalCode: '' };
  }

  #entry(pspReference: string): BookEntry {
    const entry = this.works.book.latest(pspReference);
    if (entry === undefined) throw new Error(`the book has no payment ${pspReference}`);
    return entry;
  }
}

/** All webhooks of a dispute contain the reference of the dispute. */
const disputeOf = ({ pspReference }: Payment): string => `DISPUTED${pspReference.slice(8)}`;
