/**
 * What Visa does with pushes: takes them, ends them, knows a repetition within a day, reverses. Writes the book before anything is
 * said, and resumes from it what a restart broke off. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, Transaction } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PushRequest } from './push-request.ts';

/** How long Visa takes over what it does by itself; tests shorten these. */
export interface VisaDirectDelays {
  /** From the answer that Visa's own time was over to the end of the transaction. */
  readonly endMs: number;
  /** From that end to the reversal. */
  readonly reverseMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: VisaDirectDelays = { endMs: 5_000, reverseMs: 3_000, holdMs: 60_000 };

export interface VisaDirectParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: VisaDirectDelays;
  readonly faults: Readonly<Faults>;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

/** - `at_work`: the same transaction is being done. - `repeated`: it came within a day before. */
export type Pushed = { readonly kind: 'taken' | 'at_work' | 'repeated'; readonly entry: BookEntry };

const dayMs = 24 * 3_600_000;

export class VisaDirect {
  readonly #parts: VisaDirectParts;
  readonly #timers: TimerSet;

  constructor(parts: VisaDirectParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Resolves once the book is written. */
  async push(request: PushRequest): Promise<Pushed> {
    const { book, faults, clock } = this.#parts;
    const before = book.ofIdentity(request.identity);
    if (before !== undefined && clock.now() - Date.parse(before.takenAt) < dayMs) {
      const entry = await this.#add(before, 'repeated', { repeats: before.repeats + 1 });
      return { kind: entry.status === 'in_progress' ? 'at_work' : 'repeated', entry };
    }
    const transactionIdentifier = book.nextIdentifier();
    const standing = { status: 'in_progress', actionCode: '', repeats: 0, isReversed: false } as const;
    const statusIdentifier = `${transactionIdentifier}_186_81_SIMULATED_VDP`;
    const fresh: Transaction = {
      ...request,
      ...standing,
      transactionIdentifier,
      statusIdentifier,
      takenAt: this.#time(),
    };
    const taken = await this.#add(fresh, 'taken', {});
    if (faultsOf(faults, request.amount).timing === 'at_once') return { kind: 'taken', entry: await this.#end(taken) };
    this.#schedule(taken);
    return { kind: 'taken', entry: taken };
  }

  /** Undefined where nothing of those numbers was approved. */
  async reverse(senderReference: string): Promise<BookEntry | undefined> {
    const paid = this.#parts.book.all().find((one) => one.senderReference === senderReference && isPaid(one));
    return paid === undefined ? undefined : this.#undo(paid);
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.#parts.book.all()) this.#schedule(entry);
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
  }

  /** What happens next by itself, if anything does. */
  #schedule(entry: BookEntry): void {
    const { delays, faults } = this.#parts;
    if (entry.status === 'in_progress')
      this.#after(delays.endMs, entry, async (latest) => {
        if (latest.status === 'in_progress') await this.#end(latest);
      });
    else if (isPaid(entry) && faultsOf(faults, entry.amount).reversals === 'later')
      this.#after(delays.reverseMs, entry, async (latest) => {
        if (isPaid(latest)) await this.#undo(latest);
      });
  }

  #after(delayMs: number, { at, transactionIdentifier }: BookEntry, act: (latest: BookEntry) => Promise<void>): void {
    const { book, clock, onBookFailure } = this.#parts;
    const dueMs = Math.max(0, Date.parse(at) + delayMs - clock.now());
    this.#timers.after(dueMs, () => {
      const latest = book.latest(transactionIdentifier);
      if (latest !== undefined) void act(latest).catch(onBookFailure);
    });
  }

  async #end(entry: BookEntry): Promise<BookEntry> {
    const actionCode = faultsOf(this.#parts.faults, entry.amount).action_code;
    const ended = await this.#add(entry, 'completed', { status: 'completed', actionCode });
    this.#schedule(ended);
    return ended;
  }

  #undo(entry: BookEntry): Promise<BookEntry> {
    return this.#add(entry, 'reversed', { isReversed: true });
  }

  async #add(transaction: Transaction, kind: BookEntry['kind'], change: Partial<Transaction>): Promise<BookEntry> {
    const entry = this.#parts.book.add({ ...transaction, ...change, kind, at: this.#time() });
    await this.#parts.journal.append(entry);
    return entry;
  }

  #time(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

function isPaid({ actionCode, isReversed }: BookEntry): boolean {
  return actionCode === '00' && !isReversed;
}
