/**
 * DT One's own book: every transaction and all that happened to it, so that a test can ask DT One itself whether a number was
 * credited, and how often. In memory only; kernel/journal.ts makes it last.
 */
import { repeated, Snapshots } from '../kernel/snapshots.ts';
import type { ClassName, ConductName, Why } from './conducts.ts';
import { priceOf } from './products.ts';

/** `repeated`: its external_id came again and was refused. */
export type EntryKind = 'taken' | 'changed' | 'repeated';

export interface Transaction {
  readonly id: number;
  readonly externalId: string;
  readonly productId: number;
  readonly operatorId: number;
  readonly operatorName: string;
  /** What the recipient gets, in tiyn. */
  readonly tiyn: number;
  /** The number's last four digits. */
  readonly maskedNumber: string;
  readonly callbackUrl: string;
  readonly takenAt: string;
  readonly conduct: ConductName;
  /** Of its conduct. */
  readonly step: number;
  /** Why it will be rejected or declined, if it is. */
  readonly failsFor: Why;
  readonly className: ClassName;
  /** The class, and why. */
  readonly message: string;
  /** How often the number was credited; a reversal does not lower it. */
  readonly executions: number;
  readonly repeats: number;
}

/** A snapshot of a transaction right after something happened to it. */
export interface BookEntry extends Transaction {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export interface BookSummary {
  readonly transactions: number;
  readonly executions: number;
  readonly repeats: number;
  /** In US cents, of what the client has: free, and held for transactions under way. */
  readonly available: number;
  readonly holding: number;
  /** External ids under which a number was credited more than once. */
  readonly executed_over_once: readonly string[];
}

const firstId = 2_237_512_001;
/** Ten thousand dollars, in cents. */
const openingBalance = 1_000_000;
const underWay: readonly ClassName[] = ['CREATED', 'CONFIRMED', 'SUBMITTED'];

export class Book extends Snapshots<BookEntry, number> {
  constructor() {
    super(({ id }) => id);
  }

  nextId(): number {
    return firstId + this.size();
  }

  ofExternalId(externalId: string): BookEntry | undefined {
    return this.all().find((transaction) => transaction.externalId === externalId);
  }

  balance(): { readonly available: number; readonly holding: number } {
    const sumOf = (names: readonly ClassName[]) =>
      this.all()
        .filter(({ className }) => names.includes(className))
        .reduce((sum, { tiyn }) => sum + priceOf(tiyn), 0);
    const holding = sumOf(underWay);
    return { available: openingBalance - holding - sumOf(['COMPLETED']), holding };
  }

  summary(): BookSummary {
    const transactions = this.all();
    const credited = transactions.filter(({ executions }) => executions > 0).map(({ externalId }) => externalId);
    return {
      transactions: transactions.length,
      executions: transactions.reduce((sum, { executions }) => sum + executions, 0),
      repeats: transactions.reduce((sum, { repeats }) => sum + repeats, 0),
      ...this.balance(),
      executed_over_once: repeated(credited),
    };
  }
}
