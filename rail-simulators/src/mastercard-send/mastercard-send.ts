/**
 * What Mastercard does with disbursements: takes them, ends them, at once or later, reverses. Writes the book before anything is
 * said, and resumes from it what a restart broke off. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, Disbursement, Status } from './book.ts';
import type { DisbursementRequest } from './disbursement-request.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';

/** How long the network takes over what it does by itself; tests shorten these. */
export interface MastercardSendDelays {
  /** To what a disbursement comes to by itself. */
  readonly endMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: MastercardSendDelays = { endMs: 20_000, holdMs: 60_000 };

export interface MastercardSendParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: MastercardSendDelays;
  readonly faults: Readonly<Faults>;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

type Conduct = Exclude<Faults['disbursements'], 'by_amount'>;

const ways: Readonly<Record<Conduct, { readonly first: Status; readonly endsAs: Status | null }>> = {
  approve: { first: 'APPROVED', endsAs: null },
  decline: { first: 'DECLINED', endsAs: null },
  unknown_then_approve: { first: 'UNKNOWN', endsAs: 'APPROVED' },
  unknown_then_decline: { first: 'UNKNOWN', endsAs: 'DECLINED' },
  pending_then_approve: { first: 'PENDING', endsAs: 'APPROVED' },
  approve_then_reverse: { first: 'APPROVED', endsAs: 'REVERSED' },
};

export class MastercardSend {
  readonly #parts: MastercardSendParts;
  readonly #timers: TimerSet;

  constructor(parts: MastercardSendParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Resolves once the book is written; undefined: the reference was used before. */
  async take(request: DisbursementRequest): Promise<BookEntry | undefined> {
    const { book } = this.#parts;
    if (book.underReference(request.reference).length > 0) {
      book.countDuplicate();
      return undefined;
    }
    const faults = faultsOf(this.#parts.faults, request.amount);
    const { first, endsAs } = ways[faults.disbursements];
    const isDeclined = (endsAs ?? first) === 'DECLINED';
    const taken = await this.#add({
      ...request,
      id: book.nextId(),
      createdAt: this.#time(),
      originalStatus: first,
      status: first,
      endsAs,
      networkCode: isDeclined ? faults.network_code : '00',
      statusReason: isDeclined ? faults.status_reason : 'APPROVED',
    });
    this.#schedule(taken);
    return taken;
  }

  /** Undefined where nothing of that reference was paid. */
  async reverse(reference: string): Promise<BookEntry | undefined> {
    const paid = this.#parts.book.underReference(reference).find(({ status }) => status === 'APPROVED');
    return paid === undefined ? undefined : this.#add({ ...paid, status: 'REVERSED', endsAs: null });
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.#parts.book.all()) this.#schedule(entry);
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
  }

  #schedule({ id, endsAs, createdAt }: BookEntry): void {
    if (endsAs === null) return;
    const { book, clock, delays, onBookFailure } = this.#parts;
    const dueMs = Math.max(0, Date.parse(createdAt) + delays.endMs - clock.now());
    this.#timers.after(dueMs, () => {
      const latest = book.latest(id);
      if (latest?.endsAs === endsAs) void this.#add({ ...latest, status: endsAs, endsAs: null }).catch(onBookFailure);
    });
  }

  async #add(disbursement: Disbursement): Promise<BookEntry> {
    const entry = this.#parts.book.add({ ...disbursement, at: this.#time() });
    await this.#parts.journal.append(entry);
    return entry;
  }

  #time(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
