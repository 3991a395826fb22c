/**
 * Visa's own book: every transaction and all that happened to it, so that a test can ask Visa itself whether money moved, and how
 * often. In memory only; provider-server/journal.ts makes it last. It holds no card number.
 */

export interface Transaction {
  /** Fifteen digits. */
  readonly transactionIdentifier: string;
  readonly statusIdentifier: string;
  /** The five values that tell it apart, joined. */
  readonly identity: string;
  readonly systemsTraceAuditNumber: string;
  readonly retrievalReferenceNumber: string;
  readonly senderReference: string;
  /** As it was written. */
  readonly amount: string;
  readonly currency: string;
  /** First six, asterisks, last four. */
  readonly maskedNumber: string;
  readonly recipientName: string;
  readonly takenAt: string;
  readonly status: 'in_progress' | 'completed';
  /** How it ends; empty until then. */
  readonly actionCode: string;
  /** How many times it came again, and was answered as a duplicate. */
  readonly repeats: number;
  readonly isReversed: boolean;
}

/** A snapshot of a transaction right after something happened to it. */
export interface BookEntry extends Transaction {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: 'taken' | 'completed' | 'repeated' | 'reversed';
  readonly at: string;
}

export interface BookSummary {
  readonly transactions: number;
  readonly approved: number;
  readonly declined: number;
  readonly repeats: number;
  /** Each sender reference under which more than one transaction was approved and not reversed. */
  readonly paid_over_once: readonly string[];
}

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    this.#entries.push(placed);
    this.#latest.set(placed.transactionIdentifier, placed);
    return placed;
  }

  nextIdentifier(): string {
    return String(100_000_000_000_000 + this.#latest.size + 1).slice(-15);
  }

  latest(transactionIdentifier: string): BookEntry | undefined {
    return this.#latest.get(transactionIdentifier);
  }

  /** The newest of that identity: after a day the same values are another transaction. */
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

  all(): readonly BookEntry[] {
    return [...this.#latest.values()];
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  summary(): BookSummary {
    const all = this.all();
    const ended = all.filter(({ status }) => status === 'completed');
    const approved = ended.filter(({ actionCode }) => actionCode === '00');
    const paid = approved.filter(({ isReversed }) => !isReversed);
    return {
      transactions: all.length,
      approved: approved.length,
      declined: ended.length - approved.length,
      repeats: all.reduce((sum, { repeats }) => sum + repeats, 0),
      paid_over_once: repeated(paid.map(({ senderReference }) => senderReference)),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
  }
}

function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
