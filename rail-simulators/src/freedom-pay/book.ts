/**
 * Freedom Pay's own book: every payout and all that happened to it, so that a test can ask Freedom Pay itself whether a card
 * was paid, and how often. In memory only; provider-server/journal.ts makes it last.
 */
import { sumOf, toText, toTiyn } from './amounts.ts';
import type { Ending } from './cards.ts';

export type Status = 'success' | 'error' | 'process';

export type EntryKind =
  /** Not decided yet. */
  | 'taken'
  | 'paid'
  | 'refused'
  /** The client has taken the callback. */
  | 'told';

export interface Payout {
  readonly paymentId: number;
  readonly orderId: string;
  readonly amount: string;
  /** What the client says it is. */
  readonly description: string;
  readonly maskedCard: string;
  readonly holder: string;
  readonly postLink: string;
  readonly status: Status;
  /** Why it failed; empty for what did not. */
  readonly code: string;
  /** How it ends that is not decided yet. */
  readonly ending: Ending;
  readonly callback: 'none' | 'due' | 'accepted';
  readonly takenAt: string;
}

/** A snapshot of a payout right after something happened to it. */
export interface BookEntry extends Payout {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export interface BookSummary {
  readonly payouts: number;
  readonly waiting: number;
  readonly refused: number;
  readonly paid: number;
  readonly paid_amount: string;
  /** What the client still has for payouts. */
  readonly balance: string;
  /** Each description under which a card was paid more than once. */
  readonly paid_over_once: readonly string[];
}

const firstId = 7_000_001;

export class Book {
  readonly #floatAtFirst: bigint;
  #entries: BookEntry[] = [];
  readonly #latest = new Map<number, BookEntry>();
  readonly #orders = new Map<string, number>();

  /** `float`: what the client has paid in for payouts. */
  constructor(float: string) {
    this.#floatAtFirst = toTiyn(float) ?? 0n;
  }

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    this.#entries.push(placed);
    if (!this.#latest.has(placed.paymentId)) this.#orders.set(placed.orderId, placed.paymentId);
    this.#latest.set(placed.paymentId, placed);
    return placed;
  }

  nextId(): number {
    return firstId + this.#latest.size;
  }

  latest(paymentId: number): BookEntry | undefined {
    return this.#latest.get(paymentId);
  }

  /** The last payout under that number of the client's. */
  ofOrder(orderId: string): BookEntry | undefined {
    return this.#latest.get(this.#orders.get(orderId) ?? 0);
  }

  all(): readonly BookEntry[] {
    return [...this.#latest.values()];
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  /** What has not been decided is off it as well. */
  float(): bigint {
    return this.#floatAtFirst - sumOf(this.#in('success', 'process').map(({ amount }) => amount));
  }

  summary(): BookSummary {
    const paid = this.#in('success');
    return {
      payouts: this.#latest.size,
      waiting: this.#in('process').length,
      refused: this.#in('error').length,
      paid: paid.length,
      paid_amount: toText(sumOf(paid.map(({ amount }) => amount))),
      balance: toText(this.float()),
      paid_over_once: repeated(paid.map(({ description }) => description)),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#orders.clear();
  }

  #in(...statuses: readonly Status[]): readonly BookEntry[] {
    return this.all().filter(({ status }) => statuses.includes(status));
  }
}

function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
