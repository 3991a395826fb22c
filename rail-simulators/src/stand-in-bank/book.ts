/**
 * The bank's own book: one entry for everything that ever happened to a payout, newest state by reference, and running
 * totals, so that a test can ask the bank itself whether money moved twice. In memory only; journal.ts makes it last.
 */
import type { PayoutStatus, Reason } from './magic-amounts.ts';

export type EntryKind = 'taken' | 'executed' | 'declined' | 'reversed' | 'repeated' | 'notified';

/** A snapshot of a payout right after something happened to it. */
export interface BookEntry {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly reference: string;
  readonly remittance: string;
  readonly method: number;
  readonly amount: string;
  readonly currency: string;
  readonly masked_account: string;
  readonly content_digest: string;
  readonly status: PayoutStatus | 'reversed';
  readonly reason: Reason;
  /** How often the reference was taken in; more than 1 only while deduplication is switched off. */
  readonly times_taken: number;
  /** How often money went out for the reference. A reversal doesn't lower it. */
  readonly executions: number;
  /** How often the reference came again. */
  readonly repeats: number;
  /** `due` until the gateway has accepted the notification of the last change. */
  readonly notification: 'none' | 'due' | 'accepted';
  readonly taken_at: string;
  /** When the status last changed. */
  readonly changed_at: string;
  /** When this entry was made. */
  readonly at: string;
}

export interface BookSummary {
  readonly references: number;
  /** References that were executed at least once. */
  readonly executed: number;
  /** Executions over all references. */
  readonly executions: number;
  readonly repeats: number;
  readonly executions_by_remittance_over_one: readonly string[];
}

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();
  readonly #executionsByRemittance = new Map<string, number>();
  readonly #remittancesOverOne = new Set<string>();
  #totals = { executed: 0, executions: 0, repeats: 0 };

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    const before = this.#latest.get(entry.reference);
    this.#count(placed, before?.executions ?? 0, before?.repeats ?? 0);
    this.#entries.push(placed);
    this.#latest.set(placed.reference, placed);
    return placed;
  }

  latest(reference: string): BookEntry | undefined {
    return this.#latest.get(reference);
  }

  latestOfAll(): IterableIterator<BookEntry> {
    return this.#latest.values();
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  summary(): BookSummary {
    return {
      references: this.#latest.size,
      ...this.#totals,
      executions_by_remittance_over_one: [...this.#remittancesOverOne],
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#executionsByRemittance.clear();
    this.#remittancesOverOne.clear();
    this.#totals = { executed: 0, executions: 0, repeats: 0 };
  }

  // Counted as entries arrive: a summary over the whole book would take longer with every payout.
  #count(entry: BookEntry, executionsBefore: number, repeatsBefore: number): void {
    this.#totals.repeats += entry.repeats - repeatsBefore;
    const executions = entry.executions - executionsBefore;
    if (executions === 0) return;
    if (executionsBefore === 0) this.#totals.executed += 1;
    this.#totals.executions += executions;
    const byRemittance = (this.#executionsByRemittance.get(entry.remittance) ?? 0) + executions;
    this.#executionsByRemittance.set(entry.remittance, byRemittance);
    if (byRemittance > 1) this.#remittancesOverOne.add(entry.remittance);
  }
}
