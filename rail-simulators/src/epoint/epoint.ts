/**
 * What Epoint does: has holders register their cards, pays to those, changes its mind later, tells. Writes the book before
 * anything is said, and resumes from it what a restart broke off, but for callbacks. Knows no HTTP.
 *
 * No document says that an order_id is taken once. So each request is a payout of its own here: a client that sends twice pays
 * twice, and the book says so.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, CardEntry, Payout, PayoutEntry } from './book.ts';
import type { Callbacks } from './callbacks.ts';
import type { Status } from './conducts.ts';
import { type Conduct, type ConductName, conductOf } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';

/** How long Epoint takes over what it does by itself; tests shorten these. */
export interface EpointDelays {
  /** From the answer to the callback. */
  readonly tellMs: number;
  /** Until what is new is decided. */
  readonly settleMs: number;
  /** Until what succeeded is returned. */
  readonly returnMs: number;
  /** How late a late callback is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: EpointDelays = {
  tellMs: 100,
  settleMs: 2_000,
  returnMs: 5_000,
  lateMs: 10_000,
  holdMs: 60_000,
};

export interface EpointParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: EpointDelays;
  readonly faults: Readonly<Faults>;
  readonly callbacks: Callbacks;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

const kinds: Readonly<Record<Status, PayoutEntry['kind']>> = {
  new: 'taken',
  success: 'executed',
  failed: 'failed',
  returned: 'returned',
};

export class Epoint {
  readonly #parts: EpointParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: EpointParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** A card_id that is worth something once the card's holder has typed the number. */
  async askForCard(): Promise<CardEntry> {
    const { book, journal } = this.#parts;
    const entry = book.addCard({ kind: 'card_asked', cardId: `ce${book.nextNumber()}`, mask: '', at: this.#at() });
    await journal.append(entry);
    return entry;
  }

  /** The holder types it on Epoint's page; undefined where that was not asked for. */
  async registerCard(cardId: string, number: string): Promise<CardEntry | undefined> {
    const { book, journal, callbacks } = this.#parts;
    if (book.card(cardId) === undefined) return undefined;
    const mask = `${number.slice(0, 6)}******${number.slice(-4)}`;
    const entry = book.addCard({ kind: 'card_registered', cardId, mask, at: this.#at() });
    await journal.append(entry);
    this.#inBackground(callbacks.tell(entry));
    return entry;
  }

  /** Resolves once the book is written. */
  async pay(
    asked: Pick<Payout, 'orderId' | 'description' | 'cardId' | 'cardMask' | 'amount'>,
    conduct: ConductName,
  ): Promise<PayoutEntry> {
    const { book, delays } = this.#parts;
    const { first, reply } = conductOf(conduct);
    const fresh: Payout = {
      ...asked,
      transaction: `te${book.nextNumber()}`,
      status: 'new',
      code: '',
      conduct,
      executions: 0,
    };
    const entry = await this.#stand(fresh, first);
    this.#schedule(entry);
    if (reply === 'callback_first') await this.#tell(entry);
    else this.#timers.after(delays.tellMs, () => this.#inBackground(this.#tell(entry)));
    return entry;
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.#parts.book.payouts()) this.#schedule(entry);
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

  async #stand(payout: Payout, status: Status): Promise<PayoutEntry> {
    const { book, journal, faults } = this.#parts;
    const entry = book.addPayout({
      ...payout,
      kind: kinds[status],
      status,
      code: status === 'failed' ? faultsOf(faults, payout.amount).code : '',
      executions: payout.executions + (status === 'success' ? 1 : 0),
      at: this.#at(),
    });
    await journal.append(entry);
    return entry;
  }

  /** What becomes of a payout by itself, if anything does and has not yet. */
  #schedule({ transaction, conduct, status, at }: PayoutEntry): void {
    const { first, later }: Conduct = conductOf(conduct);
    if (later === undefined || status !== first) return;
    const { delays, clock } = this.#parts;
    const delayMs = later === 'returned' ? delays.returnMs : delays.settleMs;
    const dueMs = Math.max(0, Date.parse(at) + delayMs - clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(this.#change(transaction, later)));
  }

  async #change(transaction: string, status: Status): Promise<void> {
    const before = this.#parts.book.payout(transaction);
    if (before !== undefined) await this.#tell(await this.#stand(before, status));
  }

  /** What is new is told once it is decided. */
  async #tell(entry: PayoutEntry): Promise<void> {
    const { faults, callbacks } = this.#parts;
    if (this.#isClosed || entry.status === 'new' || faultsOf(faults, entry.amount).callbacks === 'off') return;
    await callbacks.tell(entry);
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }

  #at(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
