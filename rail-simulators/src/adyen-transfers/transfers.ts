/**
 * What Adyen does with transfers: takes them, moves them through their statuses, gives money back. Writes the book before
 * anything is said, and resumes from it what a restart broke off, but for webhooks that were not accepted. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, Transfer } from './book.ts';
import { type Conduct, mutationOf, type Status, stepAfter } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { TransferRequest } from './transfer-request.ts';
import type { Webhooks } from './webhooks.ts';

/** How long Adyen and the banks take over what they do by themselves; tests shorten these. */
export interface TransferDelays {
  /** Until the next status. */
  readonly stepMs: number;
  /** Until what was booked comes back. */
  readonly returnMs: number;
  /** How late a late webhook is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: TransferDelays = { stepMs: 2_000, returnMs: 2_000, lateMs: 10_000, holdMs: 60_000 };

export interface TransfersParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: TransferDelays;
  readonly faults: Readonly<Faults>;
  readonly webhooks: Webhooks;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

/** Who asks, beside what. */
export interface Asked {
  readonly idempotencyKey: string;
  readonly requestDigest: string;
}

const FATED: ReadonlySet<Status> = new Set(['refused', 'failed', 'returned', 'cancelled']);

export class Transfers {
  readonly #parts: TransfersParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: TransfersParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Resolves with the transfer as its request is answered, once the book is written. */
  async take(request: TransferRequest, asked: Asked): Promise<BookEntry> {
    const own = faultsOf(this.#parts.faults, request.value);
    const createdAt = this.#time();
    const isFunded = own.funds === 'enough';
    const conduct: Conduct = isFunded ? own.transfers : 'refuse';
    const fate = isFunded ? own.reason : 'notEnoughBalance';
    const id = this.#parts.book.nextId();
    const standing = { status: 'received', reason: 'pending', events: [] } as const;
    const fresh: Transfer = { ...request, ...asked, ...standing, id, createdAt, conduct, fate };
    let entry = await this.#enter(fresh, 'received');
    for (let step = stepOf(entry); step && !step.isLater; step = stepOf(entry)) {
      entry = await this.#enter(entry, step.status);
    }
    if (own.webhooks === 'before_reply') await this.#goOn(entry);
    else this.#schedule(entry);
    return entry;
  }

  /** A bank sends back what it had; undefined where nothing of that reference was booked. */
  async giveBack(reference: string, status: 'failed' | 'returned', reason: string): Promise<BookEntry | undefined> {
    const booked = this.#parts.book
      .all()
      .findLast((entry) => entry.reference === reference && entry.status === 'booked');
    return booked === undefined ? undefined : this.#enter({ ...booked, fate: reason }, status);
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
    this.#parts.webhooks.stop();
  }

  #schedule(entry: BookEntry): void {
    if (stepOf(entry) === undefined) return;
    const { clock, delays } = this.#parts;
    const delayMs = entry.status === 'booked' ? delays.returnMs : delays.stepMs;
    const dueMs = Math.max(0, Date.parse(entry.at) + delayMs - clock.now());
    this.#timers.after(dueMs, () => void this.#goOn(entry).catch(this.#parts.onBookFailure));
  }

  async #goOn({ id }: BookEntry): Promise<void> {
    const latest = this.#parts.book.latest(id);
    const step = latest && stepOf(latest);
    if (latest && step) this.#schedule(await this.#enter(latest, step.status));
  }

  /** Adds the next status to the book, writes it down, and tells of it; told when it is written, in the background. */
  async #enter(transfer: Transfer, status: Status): Promise<BookEntry> {
    const { book, journal, webhooks, faults } = this.#parts;
    const at = this.#time();
    const before = transfer.events.at(-1)?.status;
    const mutations = [mutationOf(before, status, transfer.currency, transfer.value)];
    const event = { id: `EV${transfer.id}${transfer.events.length + 1}`, status, bookingDate: at, mutations };
    const reason = status === 'received' ? 'pending' : FATED.has(status) ? transfer.fate : 'approved';
    const entry = book.add({ ...transfer, status, reason, events: [...transfer.events, event], at });
    await journal.append(entry);
    if (this.#isClosed) return entry;
    const told = webhooks.tell(entry);
    if (faultsOf(faults, entry.value).webhooks === 'before_reply') await told;
    return entry;
  }

  #time(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

/** The first event is the taking itself. */
function stepOf({ conduct, events }: BookEntry) {
  return stepAfter(conduct, events.length - 1);
}
