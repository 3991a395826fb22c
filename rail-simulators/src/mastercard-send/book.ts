/** Mastercard's own book: every disbursement and all its events. It contains no card number. */
import { BookEntries, repeated } from '../kernel/book-entries.ts';

export type Status = 'APPROVED' | 'DECLINED' | 'UNKNOWN' | 'PENDING' | 'REVERSED';

export interface Disbursement {
  readonly id: string;
  readonly reference: string;
  /** The amount in minor units, as the client wrote it. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentType: string;
  /** A mask of twelve asterisks and the last four digits. */
  readonly maskedAccount: string;
  readonly recipientName: string;
  readonly createdAt: string;
  /** The status in the first response, which never changes. */
  readonly originalStatus: Status;
  readonly status: Status;
  /** The next automatic status. Null for a final status. */
  readonly endsAs: Status | null;
  readonly networkCode: string;
  readonly statusReason: string;
}

export interface BookEntry extends Disbursement {
  readonly seq: number;
  readonly at: string;
}

export class Book extends BookEntries<BookEntry, string> {
  /** The number of requests with a used reference. */
  #duplicates = 0;

  constructor() {
    super(({ id }) => id);
  }

  nextId(): string {
    return `dsb_simulated${String(this.size() + 1).padStart(8, '0')}`;
  }

  underReference(reference: string): readonly BookEntry[] {
    return this.all().filter((disbursement) => disbursement.reference === reference);
  }

  countDuplicate(): void {
    this.#duplicates += 1;
  }

  summary(): object {
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
