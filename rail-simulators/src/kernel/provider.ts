/**
 * What every simulated provider does with its book: writes it before anything is said, has things happen after a while, resumes
 * from it after a restart, and ends. What happens is the provider's own. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal, Placed } from './journal.ts';
import type { Unplaced } from './snapshots.ts';

export interface Timed extends Placed {
  /** When it happened. */
  readonly at: string;
}

interface KeptBook<Entry> {
  add<Added extends Entry>(entry: Unplaced<Added>): Added;
  all(): readonly Entry[];
}

/** What the parts of one simulator share. */
export interface Works<Book, Faults, Delays> {
  readonly book: Book;
  /** Those of the moment: changed in place. */
  readonly faults: Faults;
  readonly delays: Delays;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly journal: Journal<object>;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
  /** Where payers and tests reach the simulator. Known once it listens. */
  readonly openUrl: () => string;
}

export interface Notifies<Entry> {
  /** Resolves after the first attempt, or at once where that is put off. */
  notify(entry: Entry): Promise<unknown>;
  stop(): void;
}

/** `notified` resolves after the first attempt. */
export interface Happened<Entry> {
  readonly entry: Entry;
  readonly notified: Promise<unknown>;
}

const nothingSent: Promise<void> = Promise.resolve();

export abstract class Provider<Entry extends Timed, Book extends KeptBook<Entry>, Faults, Delays> {
  protected readonly works: Works<Book, Faults, Delays>;
  readonly #notifier: Notifies<Entry> | undefined;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(works: Works<Book, Faults, Delays>, notifier?: Notifies<Entry>) {
    this.works = works;
    this.#notifier = notifier;
    this.#timers = new TimerSet(works.clock);
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.works.book.all()) this.schedule(entry);
  }

  /** Stops for good: an entry that is still being written notifies nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#notifier?.stop();
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What happens next by itself to something that stands as its entry says. */
  protected abstract schedule(entry: Entry): void;

  protected time(): string {
    return new Date(this.works.clock.now()).toISOString();
  }

  /** Adds the next entry to the book; the caller has it written. */
  protected add<Added extends Entry>(entry: Omit<Added, 'seq' | 'at'>): Added {
    return this.works.book.add<Added>({ ...entry, at: this.time() } as unknown as Unplaced<Added>);
  }

  protected write(entry: Entry): Promise<void> {
    return this.works.journal.append(entry);
  }

  protected async record<Added extends Entry>(entry: Omit<Added, 'seq' | 'at'>): Promise<Added> {
    const added = this.add<Added>(entry);
    await this.write(added);
    return added;
  }

  protected notify(entry: Entry): Promise<unknown> {
    return this.#isClosed ? nothingSent : (this.#notifier?.notify(entry) ?? nothingSent);
  }

  /** Acts when the delay since then is over; after a restart that may be at once. */
  protected after(since: string, delayMs: number, act: () => Promise<unknown>): void {
    if (this.#isClosed) return;
    const dueMs = Math.max(0, Date.parse(since) + delayMs - this.works.clock.now());
    this.#timers.after(dueMs, () => this.inBackground(act()));
  }

  protected inBackground(work: Promise<unknown>): void {
    void work.catch(this.works.onBookFailure);
  }
}
