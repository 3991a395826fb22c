/**
 * What every simulated provider does with its book: writes each entry before any response or notification, schedules events,
 * resumes after a restart, and closes. Each provider defines its events. It contains no HTTP code.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Unplaced } from './book-entries.ts';
import type { BookFile, Placed } from './book-file.ts';

interface Timed extends Placed {
  /** The time when the event happened. */
  readonly at: string;
}

interface KeptBook<Entry> {
  add<Added extends Entry>(entry: Unplaced<Added>): Added;
  all(): readonly Entry[];
}

/** The parts of one simulator that its classes share. */
export interface Works<Book, Faults, Delays> {
  readonly book: Book;
  /** The current faults, which are changed in place. */
  readonly faults: Faults;
  readonly delays: Delays;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly bookFile: BookFile<object>;
  /** Called when the book can no longer be written, so that the simulator stops responding. */
  readonly onBookFailure: (error: unknown) => void;
  /** Returns the URL for payers and tests, known once the simulator listens. */
  readonly openUrl: () => string;
}

export interface Notifies<Entry> {
  /** Resolves after the first attempt, or immediately if the notification is delayed. */
  notify(entry: Entry): Promise<unknown>;
  stop(): void;
}

/** `notified` resolves after the first attempt. */
export interface Happened<Entry> {
  readonly entry: Entry;
  readonly notified: Promise<unknown>;
}

const NOTHING_SENT: Promise<void> = Promise.resolve();

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

  /** Schedules the pending events again after a restart. */
  resume(): void {
    for (const entry of this.works.book.all()) this.schedule(entry);
  }

  /** Stops permanently: an entry that is still being written causes no notification. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels all scheduled events. */
  stop(): void {
    this.#timers.cancelAll();
    this.#notifier?.stop();
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Schedules the next automatic event of an object, given its latest entry. */
  protected abstract schedule(entry: Entry): void;

  protected time(): string {
    return new Date(this.works.clock.now()).toISOString();
  }

  /** Adds the next entry to the book. The caller writes it. */
  protected add<Added extends Entry>(entry: Omit<Added, 'seq' | 'at'>): Added {
    return this.works.book.add<Added>({ ...entry, at: this.time() } as unknown as Unplaced<Added>);
  }

  protected write(entry: Entry): Promise<void> {
    return this.works.bookFile.append(entry);
  }

  protected async record<Added extends Entry>(entry: Omit<Added, 'seq' | 'at'>): Promise<Added> {
    const added = this.add<Added>(entry);
    await this.write(added);
    return added;
  }

  protected notify(entry: Entry): Promise<unknown> {
    return this.#isClosed ? NOTHING_SENT : (this.#notifier?.notify(entry) ?? NOTHING_SENT);
  }

  /** Runs `act` once `delayMs` has passed since `since`. After a restart that may be immediately. */
  protected after(since: string, delayMs: number, act: () => Promise<unknown>): void {
    if (this.#isClosed) return;
    const dueMs = Math.max(0, Date.parse(since) + delayMs - this.works.clock.now());
    this.#timers.after(dueMs, () => this.inBackground(act()));
  }

  protected inBackground(work: Promise<unknown>): void {
    void work.catch(this.works.onBookFailure);
  }
}
