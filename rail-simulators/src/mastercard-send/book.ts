/**
 * Mastercard's own book: every disbursement and all that happened to it, so that a test can ask Mastercard itself whether money
 * moved, and how often. In memory only; kernel/journal.ts makes it last. It holds no card number.
 */
import { repeated, Snapshots } from '../kernel/snapshots.ts';

export type Status = 'APPROVED' | 'DECLINED' | 'UNKNOWN' | 'PENDING' | 'REVERSED';

export interface Disbursement {
  readonly id: string;
  readonly reference: string;
  /** Minor units, as it was written. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentType: string;
  /** Twelve asterisks and the last four digits. */
  readonly maskedAccount: string;
  readonly recipientName: string;
  readonly createdAt: string;
  /** The first answer's; it stays. */
  readonly originalStatus: Status;
  readonly status: Status;
  /** What it comes to by itself; null when this is its end. */
  readonly endsAs: Status | null;
  readonly networkCode: string;
  readonly statusReason: string;
}

/** A snapshot of a disbursement right after something happened to it. */
export interface BookEntry extends Disbursement {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly at: string;
}

export interface BookSummary {
  readonly disbursements: number;
  readonly approved: number;
  readonly declined: number;
  /** Requests under a reference that was used before. */
  readonly duplicates: number;
  /** Each reference that was paid more than once. */
  readonly paid_over_once: readonly string[];
}

export class Book extends Snapshots<BookEntry, string> {
  constructor() {
    super(({ id }) => id);
  }

  #duplicates = 0;

  nextId(): string {
    return `dsb_simulated${String(this.size() + 1).padStart(8, '0')}`;
  }

  underReference(reference: string): readonly BookEntry[] {
    return this.all().filter((disbursement) => disbursement.reference === reference);
  }

  countDuplicate(): void {
    this.#duplicates += 1;
  }

  summary(): BookSummary {
    const all = this.all();
    const paid = all.filter(({ status }) => status === 'APPROVED');
    return {
      disbursements: all.length,
      approved: paid.length,
      declined: all.filter(({ status }) => status === 'DECLINED').length,
      duplicates: this.#duplicates,
      paid_over_once: repeated(paid.map(({ reference }) => reference)),
    };
  }

  override clear(): void {
    super.clear();
    this.#duplicates = 0;
  }
}
