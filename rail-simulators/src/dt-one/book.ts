/** DT One's own book: every transaction and all its events. */
import { BookEntries, repeated, totalOf } from '../kernel/book-entries.ts';
import type { ClassName, ConductName, Why } from './conducts.ts';
import { priceOf } from './products.ts';

export interface Transaction {
  readonly id: number;
  readonly externalId: string;
  readonly productId: number;
  readonly operatorId: number;
  readonly operatorName: string;
  /** The amount for the recipient, in tiyn. */
  readonly tiyn: number;
  /** The last four digits of the number. */
  readonly maskedNumber: string;
  readonly callbackUrl: string;
  readonly acceptedAt: string;
  readonly conduct: ConductName;
  /** The number of the current step in its conduct. */
  readonly step: number;
  /** The reason for its later rejection or decline, if there is one. */
  readonly failsFor: Why;
  readonly className: ClassName;
  /** The class and the reason. */
  readonly message: string;
  /** How often the phone number was credited. A reversal does not reduce it. */
  readonly executions: number;
  readonly repeats: number;
}

export interface BookEntry extends Transaction {
  readonly seq: number;
  /** `repeated` means that its external_id arrived again and was rejected. */
  readonly kind: 'accepted' | 'changed' | 'repeated';
  readonly at: string;
}

const FIRST_ID = 2_237_512_001;
/** The opening balance: ten thousand dollars, in cents. */
const OPENING_BALANCE = 1_000_000;
const IN_FLIGHT: readonly ClassName[] = ['CREATED', 'CONFIRMED', 'SUBMITTED'];

export class Book extends BookEntries<BookEntry, number> {
  constructor() {
    super(({ id }) => id);
  }

  nextId(): number {
    return FIRST_ID + this.size();
  }

  ofExternalId(externalId: string): BookEntry | undefined {
    return this.all().find((transaction) => transaction.externalId === externalId);
  }

  /** Returns the client's available balance, and the part held for pending transactions, in US cents. */
  balance(): { readonly available: number; readonly holding: number } {
    const sumOf = (names: readonly ClassName[]) =>
      totalOf(this.all(), ({ className, tiyn }) => (names.includes(className) ? priceOf(tiyn) : 0));
    const holding = sumOf(IN_FLIGHT);
    return { available: OPENING_BALANCE - holding - sumOf(['COMPLETED']), holding };
  }

  summary(): object {
    const transactions = this.all();
    const credited = transactions.filter(({ executions }) => executions > 0);
    return {
      transactions: transactions.length,
      executions: totalOf(transactions, ({ executions }) => executions),
      repeats: totalOf(transactions, ({ repeats }) => repeats),
      ...this.balance(),
      executed_over_once: repeated(credited.map(({ externalId }) => externalId)),
    };
  }
}
