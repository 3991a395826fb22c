/** Freedom Pay's own book: every payout and all its events. */
import { sumOf, toCents, toText } from '../kernel/amounts.ts';
import { BookEntries, repeated } from '../kernel/book-entries.ts';
import type { Ending, Status } from './cards.ts';

export type EntryKind =
  /** The payout is accepted, but not decided yet. */
  | 'accepted'
  | 'paid'
  | 'refused'
  /** The client has accepted the callback. */
  | 'acknowledged';

export interface Payout {
  readonly paymentId: number;
  readonly orderId: string;
  readonly amount: string;
  /** The client's description. */
  readonly description: string;
  readonly maskedCard: string;
  readonly holder: string;
  readonly postLink: string;
  readonly status: Status;
  /** The reason for a failure, otherwise empty. */
  readonly code: string;
  /** The outcome that an undecided payout will have. */
  readonly ending: Ending;
  readonly callback: 'none' | 'due' | 'accepted';
  readonly acceptedAt: string;
}

export interface BookEntry extends Payout {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

const FIRST_ID = 7_000_001;

export class Book extends BookEntries<BookEntry, number> {
  readonly #floatAtFirst: bigint;

  /** `float` is the client's prefunded balance for payouts. */
  constructor(float: string) {
    super(({ paymentId }) => paymentId);
    this.#floatAtFirst = toCents(float) ?? 0n;
  }

  nextId(): number {
    return FIRST_ID + this.size();
  }

  /** Returns the latest payout with that order number. */
  ofOrder(orderId: string): BookEntry | undefined {
    return this.all().findLast((payout) => payout.orderId === orderId);
  }

  /** Returns the float, which undecided payouts reduce as well. */
  float(): bigint {
    return this.#floatAtFirst - sumOf(this.#in('success', 'process').map(({ amount }) => amount));
  }

  summary(): object {
    const paid = this.#in('success');
    return {
      payouts: this.size(),
      waiting: this.#in('process').length,
      refused: this.#in('error').length,
      paid: paid.length,
      paid_amount: toText(sumOf(paid.map(({ amount }) => amount))),
      balance: toText(this.float()),
      paid_over_once: repeated(paid.map(({ description }) => description)),
    };
  }

  #in(...statuses: readonly Status[]): readonly BookEntry[] {
    return this.all().filter(({ status }) => statuses.includes(status));
  }
}
