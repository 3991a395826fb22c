/**
 * Epoint's own book: the cards that were registered, every payout it took and all that happened to it, so that a test can ask
 * Epoint itself whether money went out, and how often. In memory only; kernel/journal.ts makes it last.
 */
import type { ConductName, Status } from './conducts.ts';

export interface Card {
  readonly cardId: string;
  /** `123456******1234`; empty until its holder has typed it. */
  readonly mask: string;
}

export interface Payout {
  /** Epoint's own name of it: one each time that it is asked for. */
  readonly transaction: string;
  /** The client's. */
  readonly orderId: string;
  /** The client's description; Epoint's cabinet shows it. */
  readonly description: string;
  readonly cardId: string;
  readonly cardMask: string;
  readonly amount: string;
  readonly status: Status;
  readonly code: string;
  readonly conduct: ConductName;
  /** How often money went out for it. A return doesn't lower it. */
  readonly executions: number;
}

interface Placed {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly at: string;
}

export type PayoutEntry = Placed & Payout & { readonly kind: 'taken' | 'executed' | 'failed' | 'returned' };
export type CardEntry = Placed & Card & { readonly kind: 'card_asked' | 'card_registered' };
export type BookEntry = PayoutEntry | CardEntry;

export interface BookSummary {
  readonly cards: number;
  readonly payouts: number;
  readonly executions: number;
  readonly failed: number;
  readonly returned: number;
  /** Each order_id for which money went out more than once. */
  readonly executed_over_once: readonly string[];
}

export class Book {
  #entries: BookEntry[] = [];
  readonly #cards = new Map<string, CardEntry>();
  readonly #payouts = new Map<string, PayoutEntry>();

  /** Gives it its place; the caller writes the entry to the journal before it answers. */
  addCard(card: Omit<CardEntry, 'seq'>): CardEntry {
    const placed = { ...card, seq: this.#entries.length + 1 };
    this.take(placed);
    return placed;
  }

  /** The same. */
  addPayout(payout: Omit<PayoutEntry, 'seq'>): PayoutEntry {
    const placed = { ...payout, seq: this.#entries.length + 1 };
    this.take(placed);
    return placed;
  }

  /** One that has its place already. */
  take(entry: BookEntry): void {
    this.#entries.push(entry);
    if ('transaction' in entry) this.#payouts.set(entry.transaction, entry);
    else this.#cards.set(entry.cardId, entry);
  }

  card(cardId: string): CardEntry | undefined {
    return this.#cards.get(cardId);
  }

  payout(transaction: string): PayoutEntry | undefined {
    return this.#payouts.get(transaction);
  }

  /** The first one, if the client has asked for it more than once. */
  payoutOf(orderId: string): PayoutEntry | undefined {
    return this.payouts().find((payout) => payout.orderId === orderId);
  }

  payouts(): readonly PayoutEntry[] {
    return [...this.#payouts.values()];
  }

  nextNumber(): string {
    return String(this.#entries.length + 1).padStart(9, '0');
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  summary(): BookSummary {
    const payouts = this.payouts();
    const byOrder = new Map<string, number>();
    for (const { orderId, executions } of payouts) byOrder.set(orderId, (byOrder.get(orderId) ?? 0) + executions);
    return {
      cards: [...this.#cards.values()].filter(({ mask }) => mask !== '').length,
      payouts: payouts.length,
      executions: payouts.reduce((sum, { executions }) => sum + executions, 0),
      failed: payouts.filter(({ status }) => status === 'failed').length,
      returned: payouts.filter(({ status }) => status === 'returned').length,
      executed_over_once: [...byOrder].filter(([, executions]) => executions > 1).map(([orderId]) => orderId),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#cards.clear();
    this.#payouts.clear();
  }
}
