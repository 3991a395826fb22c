/** RazorpayX's own book: every payout and all its events. */
import { DAY_MS } from '../clock.ts';
import { BookEntries, overOnce, totalOf } from '../kernel/book-entries.ts';
import type { ConductName, Status } from './conducts.ts';
import type { Reason } from './reasons.ts';

export interface Payout {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
  readonly reference: string;
  /** The amount in paise, like fees and tax. */
  readonly amount: number;
  readonly mode: string;
  readonly purpose: string;
  readonly narration: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly name: string;
  readonly ifsc: string;
  /** The last four characters of the account. */
  readonly maskedAccount: string;
  readonly acceptedAt: string;
  readonly conduct: ConductName;
  /** The number of the current step in its conduct, or −1 while it waits for funds. */
  readonly step: number;
  /** The reason for a later failure or reversal, if there is one. */
  readonly failReason: Reason;
  readonly status: Status;
  readonly reason: Reason | '';
  readonly utr: string | null;
  /** How often the payout was executed. A reversal does not reduce it. */
  readonly executions: number;
  readonly repeats: number;
}

export interface BookEntry extends Payout {
  readonly seq: number;
  readonly kind: 'accepted' | 'changed' | 'updated' | 'repeated';
  readonly at: string;
}

/** The cost of each payout, charged when it is sent. */
export const FEE = { fees: 590, tax: 90 } as const;

const WEEK_MS = 7 * DAY_MS;

export class Book extends BookEntries<BookEntry, string> {
  constructor() {
    super(({ id }) => id);
  }

  nextNumber(): number {
    return this.size() + 1;
  }

  /** Returns the state at acceptance. */
  firstOf(id: string): BookEntry | undefined {
    return this.entries().find((entry) => entry.id === id);
  }

  /** A key expires after seven days. */
  ofKey(idempotencyKey: string, now: number): BookEntry | undefined {
    return this.all().find(
      (payout) => payout.idempotencyKey === idempotencyKey && now - Date.parse(payout.acceptedAt) <= WEEK_MS,
    );
  }

  /** Returns the newest first. */
  override all(): readonly BookEntry[] {
    return super.all().toReversed();
  }

  /** Returns all debits of the client's account minus returns, in paise, including fees. */
  spent(): number {
    const debited = this.all().filter(({ status }) => status === 'processing' || status === 'processed');
    return totalOf(debited, ({ amount }) => amount + FEE.fees);
  }

  summary(): object {
    const payouts = this.all();
    return {
      payouts: payouts.length,
      executions: totalOf(payouts, ({ executions }) => executions),
      repeats: totalOf(payouts, ({ repeats }) => repeats),
      spent: this.spent(),
      executed_over_once: overOnce(payouts, ({ reference }) => reference),
    };
  }
}
