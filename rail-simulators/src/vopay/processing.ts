/**
 * VoPay's processing of transactions: accepts money requests and payouts, lets banks send messages, credits, recalls and
 * refunds. It contains neither HTTP code nor pages.
 */

import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts';
import { sumOf, toCents, toText } from '../kernel/amounts.ts';
import { type Happened, type Notifies, Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, EntryKind, Status, Transaction } from './book.ts';
import { type Behaviour, conductOf, ENDINGS, type EndingName, isConduct } from './conducts.ts';
import type { Failure } from './errors.ts';
import type { Faults } from './faults.ts';
import { type PayoutSteps, stepsOf } from './payout-conducts.ts';
import type { MoneyRequest, PayoutRequest, RefundRequest } from './requests.ts';

export interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly sharedSecret: string;
}

/** The delays of automatic events at VoPay and the banks; tests shorten these. */
export const USUAL_DELAYS = {
  /** The time until the payer's bank has sent its message. */
  sendMs: 500,
  /** The time from the payer's acceptance to the arrival of the money, at normal and slow banks. */
  settleMs: 1_000,
  slowMs: 10_000,
  /** The time until deposited money is returned. */
  returnMs: 1_000,
  /** The time from a recall to its outcome. */
  cancelMs: 2_000,
  /** The lifetime of a message. */
  lifeMs: 30 * DAY_MS,
  lateMs: 10_000,
  /** The pause between two attempts of a webhook. */
  webhookPauseMs: 5 * MINUTE_MS,
  holdMs: MINUTE_MS,
};
export type VoPayDelays = typeof USUAL_DELAYS;
export type VoPayWorks = Works<Book, Faults, VoPayDelays>;

type Change = Partial<
  Pick<Transaction, 'status' | 'failureReason' | 'flag' | 'conduct' | 'amount' | 'wrongAnswers' | 'idempotencyKey'>
>;

interface Next {
  readonly afterMs: number;
  readonly act: (entry: BookEntry) => Promise<unknown>;
}

const DUPLICATE_MS = 3 * HOUR_MS;
const MOST_WRONG_ANSWERS = 3;

export class VoPay extends Provider<BookEntry, Book, Faults, VoPayDelays> {
  readonly #account: Account;

  constructor(works: VoPayWorks, webhooks: Notifies<BookEntry>, account: Account) {
    super(works, webhooks);
    this.#account = account;
  }

  async accept(request: MoneyRequest): Promise<BookEntry> {
    const { faults } = this.works;
    const flag = duplicateFlag(this.#alike(this.works.book.moneyRequests(), request));
    const fresh = this.#fresh({ ...request, type: 'Interac Money Request', flag });
    const change = faults.money_requests === 'fail_at_once' ? ENDINGS.failed_at_once : {};
    const { entry } = await this.#add(fresh, 'accepted', change);
    if (faults.money_requests === 'paid_before_reply') await this.#payAtOnce(entry);
    return entry;
  }

  /** Accepts a payout immediately if the balance is sufficient. Its amount determines its outcome. */
  async acceptPayout(request: PayoutRequest): Promise<BookEntry | Failure> {
    const { book, faults } = this.works;
    if (faults.empty || (toCents(request.amount) ?? 0n) > book.available()) return { error: 3001, about: 'Amount' };
    const flag = duplicateFlag(this.#alike(book.payouts(), request));
    const { entry } = await this.#add(this.#fresh({ ...request, type: 'Interac Bulk Payout', flag }), 'accepted', {});
    if (faults.payouts === 'deposited_before_reply') {
      const sent = await this.#send(entry);
      await (await this.#add(sent.entry, 'credited', { status: 'successful' })).notified;
    }
    return entry;
  }

  async confirm(id: number): Promise<BookEntry | Failure> {
    const found = this.works.book.latest(id);
    if (found === undefined) return { error: 2002, about: 'TransactionID' };
    if (found.flag === '' || found.status !== 'pending')
      return { error: 2005, about: 'the transaction is not flagged' };
    return (await this.#add(found, 'confirmed', { flag: '' })).entry;
  }

  /**
   * Makes a payer act on the message. Resolves to undefined if no message is open. With `untilNotified`, resolves after the
   * first attempts to notify.
   */
  async act(id: number, behaviour: Behaviour, untilNotified = false): Promise<BookEntry | undefined> {
    const waiting = await this.#sentNow(id);
    if (waiting?.type !== 'Interac Money Request') return undefined;
    const happened = isConduct(behaviour)
      ? await this.#add(waiting, 'responded', { status: 'request fulfilled', conduct: behaviour })
      : await this.#end(waiting, behaviour);
    if (untilNotified) await happened.notified;
    return happened.entry;
  }

  /** Cancels an unsent request immediately. */
  async cancel(id: number): Promise<BookEntry | Failure> {
    const found = this.works.book.latest(id);
    if (found === undefined) return { error: 2002, about: 'TransactionID' };
    if (found.status !== 'pending') return { error: 2006, about: found.status };
    return (await this.#end(found, 'called_back')).entry;
  }

  /** Recalls a sent transaction, unless the payer was faster. */
  async callBack(id: number): Promise<BookEntry | Failure> {
    const found = this.works.book.latest(id);
    if (found === undefined) return { error: 2002, about: 'TransactionID' };
    if (this.works.faults.cancellations === 'paid_first') await this.#payAtOnce(found);
    const latest = this.works.book.latest(id);
    if (latest?.status !== 'requested') return { error: 2006, about: latest?.status ?? '' };
    return (await this.#add(latest, 'calling_back', { status: 'cancellation requested' })).entry;
  }

  async refund({ id, amount, notes, idempotencyKey }: RefundRequest): Promise<BookEntry | Failure> {
    const { book } = this.works;
    const paid = book.latest(id);
    if (paid === undefined) return { error: 2002, about: 'TransactionID' };
    if (paid.type !== 'Interac Money Request' || paid.status !== 'successful')
      return { error: 2006, about: paid.status };
    const back = amount ?? paid.amount;
    const standing = book.refundsOf(id).filter(({ status }) => status !== 'failed' && status !== 'cancelled');
    if (sumOf([back, ...standing.map((other) => other.amount)]) > sumOf([paid.amount]))
      return { error: 2001, about: 'Amount' };
    const { email, name, reference } = paid;
    const fresh = this.#fresh({
      email,
      name,
      reference,
      notes,
      idempotencyKey,
      type: 'Interac Bulk Payout',
      amount: back,
      parentId: id,
      message: `Refund of ${id}`,
      flag: '',
      answer: this.#answerOf(book.nextId()),
    });
    return (await this.#add(fresh, 'accepted', {})).entry;
  }

  /** Makes the recipient of a payout or refund answer its question. Resolves to undefined if no transaction waits. */
  async deposit(id: number, answer: string): Promise<BookEntry | undefined> {
    const waiting = await this.#sentNow(id);
    if (waiting?.type !== 'Interac Bulk Payout') return undefined;
    if (answer === waiting.answer) return (await this.#add(waiting, 'credited', { status: 'successful' })).entry;
    const wrongAnswers = waiting.wrongAnswers + 1;
    const { entry } = await this.#add(waiting, 'wrong_answer', { wrongAnswers });
    return wrongAnswers < MOST_WRONG_ANSWERS ? entry : (await this.#end(entry, 'wrong_answers')).entry;
  }

  /** Makes the recipient of a payout or refund decline it. */
  async decline(id: number): Promise<BookEntry | undefined> {
    const waiting = await this.#sentNow(id);
    return waiting?.type === 'Interac Bulk Payout' ? (await this.#end(waiting, 'decline')).entry : undefined;
  }

  /** Lets the message expire without any action. */
  async expire(id: number): Promise<BookEntry | undefined> {
    const waiting = await this.#sentNow(id);
    return waiting === undefined ? undefined : (await this.#end(waiting, 'expire')).entry;
  }

  #fresh(asked: MoneyRequest & Partial<Transaction> & Pick<Transaction, 'type' | 'flag'>): Transaction {
    return {
      parentId: null,
      notes: '',
      question: '',
      answer: '',
      lifeDays: null,
      wrongAnswers: 0,
      failureReason: '',
      conduct: '',
      ...asked,
      id: this.works.book.nextId(),
      acceptedAt: this.time(),
      status: 'pending',
    };
  }

  /** Returns the latest request with the same address and amount within three hours. A payer's second attempt matches too. */
  #alike(others: readonly BookEntry[], { amount, email }: MoneyRequest): BookEntry | undefined {
    const since = this.works.clock.now() - DUPLICATE_MS;
    return others.findLast(
      (other) => other.amount === amount && other.email === email && Date.parse(other.acceptedAt) > since,
    );
  }

  /** Returns undefined if no message is open. */
  async #sentNow(id: number): Promise<BookEntry | undefined> {
    const found = this.works.book.latest(id);
    if (found?.status === 'pending' && found.flag === '') return (await this.#send(found)).entry;
    return found?.status === 'requested' ? found : undefined;
  }

  #send(entry: BookEntry): Promise<Happened<BookEntry>> {
    return this.#add(entry, 'sent', { status: 'requested' });
  }

  #end(entry: BookEntry, ending: EndingName): Promise<Happened<BookEntry>> {
    return this.#add(entry, 'ended', ENDINGS[ending]);
  }

  async #settle(entry: BookEntry): Promise<Happened<BookEntry>> {
    const { failureReason, difference = 0n } = conductOf(entry.conduct);
    if (failureReason !== undefined) return this.#add(entry, 'ended', { status: 'failed', failureReason });
    const amount = toText((toCents(entry.amount) ?? 0n) + difference);
    return this.#add(entry, 'credited', { status: 'successful', amount });
  }

  async #payAtOnce({ id }: BookEntry): Promise<void> {
    const accepted = await this.act(id, 'accept', true);
    // The automatic step may have happened during the notification.
    const isSettled = this.works.book.latest(id)?.status !== accepted?.status;
    if (accepted !== undefined && !isSettled) await (await this.#settle(accepted)).notified;
  }

  protected schedule(entry: BookEntry): void {
    const next = this.#nextOf(entry);
    if (next === undefined) return;
    const { at, id, status } = entry;
    this.after(at, next.afterMs, async () => {
      const latest = this.works.book.latest(id);
      if (latest?.status === status) await next.act(latest);
    });
  }

  #nextOf(entry: BookEntry): Next | undefined {
    const { status, flag, conduct } = entry;
    const { sendMs, settleMs, slowMs, returnMs, cancelMs, lifeMs } = this.works.delays;
    const step = isPayout(entry) && flag === '' ? stepsOf(entry.amount)[status] : undefined;
    if (step !== undefined) {
      const afterMs = status === 'pending' ? sendMs : status === 'successful' ? returnMs : settleMs;
      return { afterMs, act: (latest) => this.#step(latest, step) };
    }
    switch (status) {
      case 'pending':
        return flag === '' ? { afterMs: sendMs, act: (pending) => this.#send(pending) } : undefined;
      case 'requested':
        return { afterMs: lifeOf(entry) ?? lifeMs, act: (waiting) => this.#end(waiting, 'expire') };
      case 'request fulfilled':
        return { afterMs: conductOf(conduct).isSlow ? slowMs : settleMs, act: (accepted) => this.#settle(accepted) };
      case 'cancellation requested':
        return { afterMs: cancelMs, act: (calledBack) => this.#end(calledBack, 'called_back') };
      default:
        return undefined;
    }
  }

  #step(entry: BookEntry, step: NonNullable<PayoutSteps[Status]>): Promise<Happened<BookEntry>> {
    if (step === 'sent') return this.#send(entry);
    return step === 'credited' ? this.#add(entry, 'credited', { status: 'successful' }) : this.#end(entry, step);
  }

  async #add(transaction: Transaction, kind: EntryKind, change: Change): Promise<Happened<BookEntry>> {
    const entry = this.add<BookEntry>({ ...transaction, ...change, kind });
    await this.write(entry);
    const isElsewhere = kind !== 'accepted' && entry.status !== transaction.status;
    if (kind === 'accepted' || kind === 'confirmed' || isElsewhere) this.schedule(entry);
    return { entry, notified: isElsewhere ? this.notify(entry) : Promise.resolve() };
  }

  /** Returns the answer to a refund's question, which is constant for each number. */
  #answerOf(id: number): string {
    return createHash('sha256').update(`${this.#account.sharedSecret} ${id}`).digest('hex').slice(0, 10);
  }
}

function duplicateFlag(alike: BookEntry | undefined): string {
  return alike === undefined ? '' : `The transaction has been flagged as a potential duplicate of ${alike.id}.`;
}

function isPayout({ type, parentId }: BookEntry): boolean {
  return type === 'Interac Bulk Payout' && parentId === null;
}

function lifeOf({ lifeDays }: BookEntry): number | undefined {
  return lifeDays === null ? undefined : lifeDays * DAY_MS;
}
