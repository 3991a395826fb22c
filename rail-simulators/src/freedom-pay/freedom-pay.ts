/**
 * What Freedom Pay does with a payout: takes it, pays or refuses, at once or after a while, and sees to it that its client is
 * told. Writes the book before anything is said, and resumes from it what a restart broke off. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import { toTiyn } from './amounts.ts';
import type { Book, BookEntry, EntryKind, Payout } from './book.ts';
import type { Callbacks } from './callbacks.ts';
import type { Status } from './cards.ts';
import { type Conduct, conducts } from './cards.ts';
import type { Failure } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PayoutRequest } from './payout-request.ts';

/** How long Freedom Pay takes over what it does by itself; tests shorten these. */
export interface FreedomPayDelays {
  /** Until what is not decided at once is decided. */
  readonly settleMs: number;
  /** From the end of a payout to its callback. */
  readonly tellMs: number;
  /** How late a late callback is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: FreedomPayDelays = { settleMs: 2_000, tellMs: 200, lateMs: 10_000, holdMs: 60_000 };

export interface FreedomPayParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: FreedomPayDelays;
  readonly faults: Readonly<Faults>;
  readonly callbacks: Callbacks;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

const kinds: Readonly<Record<Status, EntryKind>> = { success: 'paid', error: 'refused', process: 'taken' };

export class FreedomPay {
  readonly #parts: FreedomPayParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: FreedomPayParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Each request is a payout of its own, also under a number that the client has used before. */
  async take({ conduct, ...request }: PayoutRequest): Promise<BookEntry | Failure> {
    const { book, clock, faults, callbacks } = this.#parts;
    if (faults.empty || (toTiyn(request.amount) ?? 0n) > book.float()) return { error: 420 };
    const { payouts, outcomes } = faultsOf(faults, request.amount);
    const { isSlow, ending }: Conduct = conducts[outcomes === 'by_card' ? conduct : outcomes];
    const outcome = isSlow ? ({ status: 'process', code: '' } as const) : ending;
    const takenAt = new Date(clock.now()).toISOString();
    const entry = await this.#add({
      ...request,
      ...outcome,
      ending,
      paymentId: book.nextId(),
      callback: this.#callbackOf(outcome.status),
      takenAt,
    });
    const isToldFirst = payouts === 'told_before_reply' && entry.callback === 'due';
    if (isToldFirst) await callbacks.tell(entry);
    else this.#schedule(entry);
    return entry;
  }

  /** The client has taken the callback. A second time is no news. */
  accepted({ paymentId }: BookEntry): void {
    const latest = this.#parts.book.latest(paymentId);
    if (latest?.callback === 'due') this.#inBackground(this.#add({ ...latest, callback: 'accepted' }, 'told'));
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.#parts.book.all()) this.#schedule(entry);
  }

  /** Stops for good: an entry that is still being written tells nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#parts.callbacks.stop();
  }

  #callbackOf(status: Status): Payout['callback'] {
    return status === 'success' || (status === 'error' && this.#parts.faults.tell_failures) ? 'due' : 'none';
  }

  #schedule(entry: BookEntry): void {
    const { settleMs, tellMs } = this.#parts.delays;
    if (entry.status === 'process') this.#after(settleMs, entry, () => this.#settle(entry));
    else if (entry.callback === 'due') this.#after(tellMs, entry, () => this.#parts.callbacks.tell(entry));
  }

  async #settle(entry: BookEntry): Promise<void> {
    const { ending } = entry;
    this.#schedule(await this.#add({ ...entry, ...ending, callback: this.#callbackOf(ending.status) }));
  }

  #after(delayMs: number, { at }: BookEntry, act: () => Promise<void>): void {
    if (this.#isClosed) return;
    const dueMs = Math.max(0, Date.parse(at) + delayMs - this.#parts.clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(act()));
  }

  async #add(payout: Payout, kind = kinds[payout.status]): Promise<BookEntry> {
    const { book, journal, clock } = this.#parts;
    const entry = book.add({ ...payout, kind, at: new Date(clock.now()).toISOString() });
    await journal.append(entry);
    return entry;
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch(this.#parts.onBookFailure);
  }
}
