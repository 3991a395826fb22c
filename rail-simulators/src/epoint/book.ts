/** Epoint's own book: the registered cards, and every payout with all its events. */
import { BookEntries, overOnce, totalOf } from '../kernel/book-entries.ts';
import type { ConductName, Status } from './conducts.ts';

export interface Card {
  readonly cardId: string;
  /** The mask, for example `123456******1234`. Empty until the holder has entered the number. */
  readonly mask: string;
}

export interface Payout {
  /** Epoint's own id, which is different for each request. */
  readonly transaction: string;
  /** The client's id. */
  readonly orderId: string;
  /** The client's description, which Epoint's dashboard shows. */
  readonly description: string;
  readonly cardId: string;
  readonly cardMask: string;
  readonly amount: string;
  readonly status: Status;
  readonly code: string;
  readonly conduct: ConductName;
  /** How often the payout was executed. A return does not reduce it. */
  readonly executions: number;
}

interface Placed {
  readonly seq: number;
  readonly at: string;
}

export type PayoutEntry = Placed & Payout & { readonly kind: 'accepted' | 'executed' | 'failed' | 'returned' };
export type CardEntry = Placed & Card & { readonly kind: 'card_requested' | 'card_registered' };
export type BookEntry = PayoutEntry | CardEntry;

export class Book extends BookEntries<BookEntry, string> {
  constructor() {
    super((entry) => ('transaction' in entry ? entry.transaction : entry.cardId));
  }

  card(cardId: string): CardEntry | undefined {
    const found = this.latest(cardId);
    return found !== undefined && isCard(found) ? found : undefined;
  }

  payout(transaction: string): PayoutEntry | undefined {
    const found = this.latest(transaction);
    return found !== undefined && isPayout(found) ? found : undefined;
  }

  /** Returns the first payout with this id, if the client sent several. */
  payoutOf(orderId: string): PayoutEntry | undefined {
    return this.#payouts().find((payout) => payout.orderId === orderId);
  }

  nextNumber(): string {
    return String(this.entries().length + 1).padStart(9, '0');
  }

  summary(): object {
    const payouts = this.#payouts();
    return {
      cards: this.all().filter((entry) => isCard(entry) && entry.mask !== '').length,
      payouts: payouts.length,
      executions: totalOf(payouts, ({ executions }) => executions),
      failed: payouts.filter(({ status }) => status === 'failed').length,
      returned: payouts.filter(({ status }) => status === 'returned').length,
      executed_over_once: overOnce(payouts, ({ orderId }) => orderId),
    };
  }

  #payouts(): readonly PayoutEntry[] {
    return this.all().filter(isPayout);
  }
}

export const isPayout = (entry: BookEntry): entry is PayoutEntry => 'transaction' in entry;
const isCard = (entry: BookEntry): entry is CardEntry => !isPayout(entry);
