/** Visa's own book: every transaction and all its events. It contains no card number. */
import { BookEntries, repeated, totalOf } from '../kernel/book-entries.ts';

export interface Transaction {
  /** A number of fifteen digits. */
  readonly transactionIdentifier: string;
  readonly statusIdentifier: string;
  /** The five values that identify it, joined. */
  readonly identity: string;
  readonly systemsTraceAuditNumber: string;
  readonly retrievalReferenceNumber: string;
  readonly senderReference: string;
  /** The amount as the client wrote it. */
  readonly amount: string;
  readonly currency: string;
  /** Shows the first six and last four digits. */
  readonly maskedNumber: string;
  readonly recipientName: string;
  readonly acceptedAt: string;
  readonly status: 'in_progress' | 'completed';
  /** The final result. Empty until then. */
  readonly actionCode: string;
  /** The number of duplicates that were reported as such. */
  readonly repeats: number;
  readonly isReversed: boolean;
}

export interface BookEntry extends Transaction {
  readonly seq: number;
  readonly kind: 'accepted' | 'completed' | 'repeated' | 'reversed';
  readonly at: string;
}

export class Book extends BookEntries<BookEntry, string> {
  constructor() {
    super(({ transactionIdentifier }) => transactionIdentifier);
  }

  nextIdentifier(): string {
    return String(100_000_000_000_000 + this.size() + 1).slice(-15);
  }

  /** Returns the newest transaction with that identity: after a day, a push with the same values creates a new transaction. */
  ofIdentity(identity: string): BookEntry | undefined {
    return this.all().findLast((transaction) => transaction.identity === identity);
  }

  ofStatusIdentifier(statusIdentifier: string): BookEntry | undefined {
    return this.all().find((transaction) => transaction.statusIdentifier === statusIdentifier);
  }

  ofNumbers(systemsTraceAuditNumber: string, retrievalReferenceNumber: string): readonly BookEntry[] {
    return this.all().filter(
      (one) =>
        one.systemsTraceAuditNumber === systemsTraceAuditNumber &&
        one.retrievalReferenceNumber === retrievalReferenceNumber,
    );
  }

  summary(): object {
    const all = this.all();
    const ended = all.filter(({ status }) => status === 'completed');
    const approved = ended.filter(({ actionCode }) => actionCode === '00');
    const paid = approved.filter(({ isReversed }) => !isReversed);
    return {
      transactions: all.length,
      approved: approved.length,
      declined: ended.length - approved.length,
      repeats: totalOf(all, ({ repeats }) => repeats),
      paid_over_once: repeated(paid.map(({ senderReference }) => senderReference)),
    };
  }
}
