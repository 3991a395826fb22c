/**
 * What WayForPay does with payouts: takes them once under a reference, pays out of the client's balance, changes its mind later,
 * tells. Writes the book before anything is said, and resumes from it what a restart broke off, but for callbacks. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, EntryKind, Payout } from './book.ts';
import type { Callbacks } from './callbacks.ts';
import type { Status } from './conducts.ts';
import { type Conduct, type ConductName, conductOf } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Instruction, Refusal } from './requests.ts';

/** How long WayForPay takes over what it does by itself; tests shorten these. */
export interface WayForPayDelays {
  /** From the answer to the callback. */
  readonly tellMs: number;
  /** Until what is in processing is decided. */
  readonly settleMs: number;
  /** Until what has ended ends otherwise: what was approved is returned, what was declined is approved after all. */
  readonly returnMs: number;
  /** How late a late callback is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: WayForPayDelays = {
  tellMs: 100,
  settleMs: 2_000,
  returnMs: 5_000,
  lateMs: 10_000,
  holdMs: 60_000,
};

export interface WayForPayParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: WayForPayDelays;
  readonly faults: Readonly<Faults>;
  readonly callbacks: Callbacks;
  /** Kopecks that the client has there at the beginning. */
  readonly opening: bigint;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

const kinds: Readonly<Record<Status, EntryKind>> = {
  InProcessing: 'taken',
  Approved: 'executed',
  Declined: 'declined',
  Refunded: 'reversed',
};

export class WayForPay {
  readonly #parts: WayForPayParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: WayForPayParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Resolves once the book is written. */
  async take(instruction: Instruction, conduct: ConductName): Promise<BookEntry | Refusal> {
    const known = this.#parts.book.latest(instruction.reference);
    if (known !== undefined) return this.#repeat(known);
    if (instruction.kopecks > this.balance()) return { reasonCode: 1136 };
    const { first, reply } = conductOf(conduct);
    const entry = await this.#add(this.#stand(this.#fresh(instruction, conduct), first), kinds[first]);
    this.#schedule(entry);
    if (reply === 'callback_first') await this.#tell(entry);
    else this.#timers.after(this.#parts.delays.tellMs, () => this.#inBackground(this.#tell(entry)));
    return entry;
  }

  async #repeat(known: BookEntry): Promise<BookEntry | Refusal> {
    const repeats = known.repeats + 1;
    if (this.#parts.faults.dedupe) {
      await this.#add({ ...known, repeats }, 'repeated');
      return { reasonCode: 1112 };
    }
    const takings = known.takings + 1;
    return this.#add({ ...known, repeats, takings, executions: known.executions === 0 ? 0 : takings }, 'repeated');
  }

  find(reference: string): BookEntry | undefined {
    return this.#parts.book.latest(reference);
  }

  /** Kopecks that can be paid out. */
  balance(): bigint {
    return this.#parts.opening - this.#parts.book.held();
  }

  /** Those made in the seconds from `begin` to `end`, both included. */
  list(begin: number, end: number): readonly BookEntry[] {
    return this.#parts.book.all().filter(({ createdDate }) => createdDate >= begin && createdDate <= end);
  }

  accepted(entry: BookEntry): void {
    const latest = this.#parts.book.latest(entry.reference);
    if (latest !== undefined) this.#inBackground(this.#add(latest, 'told'));
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

  #fresh({ type, reference, kopecks, beneficiary, serviceUrl }: Instruction, conduct: ConductName): Payout {
    const createdDate = this.#seconds();
    return {
      ...{ type, reference, beneficiary, serviceUrl, conduct, createdDate },
      kopecks: String(kopecks),
      status: 'InProcessing',
      reasonCode: 1131,
      authCode: '',
      processingDate: createdDate,
      takings: 1,
      executions: 0,
      repeats: 0,
    };
  }

  #stand(payout: Payout, status: Status): Payout {
    const isExecuted = status === 'Approved';
    return {
      ...payout,
      status,
      reasonCode: this.#reasonCodeOf(status, payout),
      authCode: isExecuted && payout.type === 'P2P_CREDIT' ? '123456' : payout.authCode,
      processingDate: this.#seconds(),
      executions: isExecuted ? payout.takings : payout.executions,
    };
  }

  #reasonCodeOf(status: Status, { kopecks }: Payout): number {
    if (status === 'Declined') return faultsOf(this.#parts.faults, kopecks).reason_code;
    return status === 'InProcessing' ? 1131 : 1100;
  }

  /** What becomes of a payout by itself, if anything does and has not yet. */
  #schedule({ reference, conduct, status, at }: BookEntry): void {
    const { first, later }: Conduct = conductOf(conduct);
    if (later === undefined || status !== first) return;
    const { delays, clock } = this.#parts;
    const delayMs = first === 'InProcessing' ? delays.settleMs : delays.returnMs;
    const dueMs = Math.max(0, Date.parse(at) + delayMs - clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(this.#change(reference, later)));
  }

  async #change(reference: string, status: Status): Promise<void> {
    const before = this.#parts.book.latest(reference);
    if (before !== undefined) await this.#tell(await this.#add(this.#stand(before, status), kinds[status]));
  }

  /** Resolves after the first attempt. */
  async #tell(entry: BookEntry): Promise<void> {
    if (!this.#isClosed && entry.serviceUrl !== '') await this.#parts.callbacks.tell(entry);
  }

  /** Adds the next entry to the book and writes it down. */
  async #add(payout: Payout, kind: EntryKind): Promise<BookEntry> {
    const at = new Date(this.#parts.clock.now()).toISOString();
    const entry = this.#parts.book.add({ ...payout, kind, at });
    await this.#parts.journal.append(entry);
    return entry;
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }

  #seconds(): number {
    return Math.floor(this.#parts.clock.now() / 1_000);
  }
}
