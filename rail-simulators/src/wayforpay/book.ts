/**
 * WayForPay's own book: every payout it took and all that happened to it, so that a test can ask WayForPay itself whether money
 * went out, and how often. In memory only; kernel/journal.ts makes it last.
 */
import type { ConductName, Status } from './conducts.ts';

export type PayoutType = 'P2P_CREDIT' | 'P2P_ACCOUNT';
/** `repeated`: the same reference was sent again. */
export type EntryKind = 'taken' | 'executed' | 'declined' | 'reversed' | 'repeated' | 'told';

export interface Payout {
  readonly reference: string;
  readonly type: PayoutType;
  /** Kopecks, as a text. */
  readonly kopecks: string;
  /** A masked card, or an IBAN. */
  readonly beneficiary: string;
  readonly serviceUrl: string;
  readonly status: Status;
  readonly reasonCode: number;
  readonly authCode: string;
  /** Unix seconds. */
  readonly createdDate: number;
  readonly processingDate: number;
  readonly conduct: ConductName;
  /** How often it was taken: once, unless a repetition of its reference is carried out as well. */
  readonly takings: number;
  /** How often money went out for it. A reversal doesn't lower it. */
  readonly executions: number;
  readonly repeats: number;
}

/** A snapshot of a payout right after something happened to it. */
export interface BookEntry extends Payout {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export interface BookSummary {
  readonly references: number;
  readonly executed: number;
  readonly executions: number;
  readonly declined: number;
  readonly reversed: number;
  readonly repeats: number;
  /** Kopecks that left the client's balance and did not come back. */
  readonly paid_out: string;
  /** Each reference for which money went out more than once. */
  readonly executed_over_once: readonly string[];
}

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();
  #held = 0n;

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    this.#entries.push(placed);
    this.#held += heldFor(placed) - heldFor(this.#latest.get(placed.reference));
    this.#latest.set(placed.reference, placed);
    return placed;
  }

  latest(reference: string): BookEntry | undefined {
    return this.#latest.get(reference);
  }

  all(): readonly BookEntry[] {
    return [...this.#latest.values()];
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  /** Kopecks that are out of the balance: paid out, or on their way. */
  held(): bigint {
    return this.#held;
  }

  summary(): BookSummary {
    const all = this.all();
    const executed = all.filter(({ executions }) => executions > 0);
    return {
      references: all.length,
      executed: executed.length,
      executions: executed.reduce((sum, { executions }) => sum + executions, 0),
      declined: all.filter(({ status }) => status === 'Declined').length,
      reversed: all.filter(({ status }) => status === 'Refunded').length,
      repeats: all.reduce((sum, { repeats }) => sum + repeats, 0),
      paid_out: String(sumOf(all.filter(({ status }) => status === 'Approved').map(heldFor))),
      executed_over_once: executed.filter(({ executions }) => executions > 1).map(({ reference }) => reference),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#held = 0n;
  }
}

/** What it takes out of the balance, as it stands. */
function heldFor(payout: Payout | undefined): bigint {
  const isHeld = payout?.status === 'Approved' || payout?.status === 'InProcessing';
  return isHeld ? BigInt(payout.kopecks) * BigInt(payout.takings) : 0n;
}

const sumOf = (kopecks: readonly bigint[]) => kopecks.reduce((sum, each) => sum + each, 0n);
