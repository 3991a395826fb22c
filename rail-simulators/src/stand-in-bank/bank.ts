/**
 * What the bank does with a payout, from the first request to the last change: plays the row of the magic amounts,
 * writes the book before anything is said, and resumes from the book what a restart broke off. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../provider-server/journal.ts';
import type { Book, BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { type BankDelays, type LaterChange, type Outcome, outcomeOf } from './magic-amounts.ts';
import type { Notification, Notifier } from './notifier.ts';
import type { PayoutInstruction } from './payout-instruction.ts';

export interface BankParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: BankDelays;
  readonly faults: Readonly<Faults>;
  /** Absent when the bank has nobody to notify. */
  readonly notifier: Notifier | undefined;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

export type Submission =
  | { readonly reply: 'status' | 'error_500'; readonly entry: BookEntry }
  | { readonly reply: 'never' }
  | { readonly reply: 'conflict' };

type Change = Partial<Omit<BookEntry, 'seq' | 'at'>> & Pick<BookEntry, 'kind'>;

export class Bank {
  readonly #parts: BankParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: BankParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  find(reference: string): BookEntry | undefined {
    return this.#parts.book.latest(reference);
  }

  /** Takes an instruction, or recognises a repeated one. Resolves once the book is written; rejects when it can't be. */
  async submit(instruction: PayoutInstruction): Promise<Submission> {
    const known = this.#parts.book.latest(instruction.reference);
    if (known !== undefined) return this.#repeat(known, instruction);
    const outcome = outcomeOf(instruction.amount);
    if (outcome.first === 'lost') return { reply: 'never' };
    const entry = this.#parts.book.add(this.#firstEntry(instruction, outcome, outcome.first));
    this.#scheduleChange(entry);
    await this.#parts.journal.append(entry);
    if (outcome.reply === 'after_notification') await this.#notify(entry, 'once');
    return outcome.reply === 'never' ? { reply: 'never' } : { reply: replyOf(outcome), entry };
  }

  /** Takes up, after a restart, the changes and notifications that the book says are still due. */
  resume(): void {
    for (const entry of this.#parts.book.latestOfAll()) {
      this.#scheduleChange(entry);
      if (entry.notification === 'due') this.#inBackground(this.#notify(entry, 'once'));
    }
  }

  /** Records that the gateway accepted a notification. A second acceptance of the same one is no news. */
  notificationAccepted(notification: Notification): void {
    const entry = this.#parts.book.latest(notification.reference);
    if (entry?.notification === 'due') {
      this.#inBackground(this.#follow(entry, { kind: 'notified', notification: 'accepted' }));
    }
  }

  /** Stops for good: a change whose entry is still being written notifies nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#parts.notifier?.stop();
  }

  async #repeat(known: BookEntry, instruction: PayoutInstruction): Promise<Submission> {
    if (known.content_digest !== instruction.contentDigest) return { reply: 'conflict' };
    const timesTaken = known.times_taken + (this.#parts.faults.dedupe ? 0 : 1);
    const entry = await this.#follow(known, {
      kind: 'repeated',
      repeats: known.repeats + 1,
      times_taken: timesTaken,
      executions: known.executions === 0 ? 0 : timesTaken,
    });
    return { reply: 'status', entry };
  }

  #firstEntry(instruction: PayoutInstruction, outcome: Outcome, status: BookEntry['status']): Omit<BookEntry, 'seq'> {
    const at = this.#time();
    return {
      kind: status === 'pending' ? 'taken' : status,
      reference: instruction.reference,
      remittance: instruction.remittance,
      method: instruction.method,
      amount: instruction.amount,
      currency: instruction.currency,
      masked_account: instruction.maskedAccount,
      content_digest: instruction.contentDigest,
      status,
      reason: outcome.reason,
      times_taken: 1,
      executions: status === 'executed' ? 1 : 0,
      repeats: 0,
      notification: outcome.reply === 'after_notification' ? this.#due() : 'none',
      taken_at: at,
      changed_at: at,
      at,
    };
  }

  #scheduleChange(entry: BookEntry): void {
    const outcome = outcomeOf(entry.amount);
    const { later } = outcome;
    if (later === undefined || entry.status !== outcome.first) return;
    const dueAt = Date.parse(entry.taken_at) + this.#parts.delays[later.delay];
    const delayMs = Math.max(0, dueAt - this.#parts.clock.now());
    this.#timers.after(delayMs, () => this.#inBackground(this.#change(entry.reference, later)));
  }

  async #change(reference: string, later: LaterChange): Promise<void> {
    const before = this.#parts.book.latest(reference);
    if (before === undefined) return;
    const entry = await this.#follow(before, {
      kind: later.status,
      status: later.status,
      reason: later.reason,
      executions: later.status === 'executed' ? before.times_taken : before.executions,
      notification: later.notification === 'none' ? 'none' : this.#due(),
      changed_at: this.#time(),
    });
    await this.#notify(entry, later.notification);
  }

  /** Resolves after the first attempt. A notification switched off when its time comes is lost, not late. */
  async #notify(entry: BookEntry, times: LaterChange['notification']): Promise<void> {
    const { notifier, faults, delays } = this.#parts;
    const notification = notificationOf(entry);
    if (this.#isClosed || notifier === undefined || notification === undefined) return;
    if (entry.notification !== 'due') return;
    const sendings = [notifier.send(notification)];
    if (times === 'twice_and_late' || faults.notifications === 'twice') sendings.push(notifier.send(notification));
    if (times === 'twice_and_late') {
      this.#timers.after(delays.lateNotificationMs, () => void notifier.send(notification));
    }
    await Promise.all(sendings);
  }

  #due(): BookEntry['notification'] {
    return this.#parts.notifier === undefined || this.#parts.faults.notifications === 'off' ? 'none' : 'due';
  }

  /** Adds the next entry of a payout to the book and writes it down. */
  async #follow(before: BookEntry, change: Change): Promise<BookEntry> {
    const entry = this.#parts.book.add({ ...before, ...change, at: this.#time() });
    await this.#parts.journal.append(entry);
    return entry;
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch(this.#parts.onBookFailure);
  }

  #time(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

function replyOf(outcome: Outcome): 'status' | 'error_500' {
  return outcome.reply === 'error_500' ? 'error_500' : 'status';
}

// The identifier follows from what happened, so that a notification resumed after a restart keeps it.
function notificationOf({ reference, status, reason, changed_at }: BookEntry): Notification | undefined {
  if (status === 'pending') return undefined;
  return { notification_id: `${reference}.${status}`, reference, status, reason, occurred_at: changed_at };
}
