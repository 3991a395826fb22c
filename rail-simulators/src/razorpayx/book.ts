/**
 * RazorpayX's own book: every payout and all that happened to it, so that a test can ask RazorpayX itself whether money left,
 * and how often. In memory only; kernel/journal.ts makes it last.
 */
import { Snapshots } from '../kernel/snapshots.ts';
import type { ConductName, Status } from './conducts.ts';
import type { Reason } from './reasons.ts';

export type EntryKind = 'taken' | 'changed' | 'updated' | 'repeated';

export interface Payout {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
  readonly reference: string;
  /** In paise, like fees and tax. */
  readonly amount: number;
  readonly mode: string;
  readonly purpose: string;
  readonly narration: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly name: string;
  readonly ifsc: string;
  /** The account's last four signs. */
  readonly maskedAccount: string;
  readonly takenAt: string;
  readonly conduct: ConductName;
  /** Of its conduct; −1 while it waits for money. */
  readonly step: number;
  /** Why it will fail or be reversed, if it is. */
  readonly failReason: Reason;
  readonly status: Status;
  readonly reason: Reason | '';
  readonly utr: string | null;
  /** How often money left; a reversal does not lower it. */
  readonly executions: number;
  readonly repeats: number;
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
  /** Executions over all payouts. */
  readonly executions: number;
  readonly repeats: number;
  /** What our account was debited, less what came back: amounts and fees, in paise. */
  readonly spent: number;
  /** References under which money left more than once, over all their payouts. */
  readonly executed_over_once: readonly string[];
}

/** What each payout costs, once it is on its way. */
export const fee = { fees: 590, tax: 90 } as const;

const weekMs = 7 * 24 * 60 * 60_000;

export class Book extends Snapshots<BookEntry, string> {
  constructor() {
    super(({ id }) => id);
  }

  nextNumber(): number {
    return this.size() + 1;
  }

  /** As it was when it was taken. */
  firstOf(id: string): BookEntry | undefined {
    return this.entries().find((entry) => entry.id === id);
  }

  /** A key is known for seven days. */
  ofKey(idempotencyKey: string, now: number): BookEntry | undefined {
    return this.all().find(
      (payout) => payout.idempotencyKey === idempotencyKey && now - Date.parse(payout.takenAt) <= weekMs,
    );
  }

  /** Newest first. */
  override all(): readonly BookEntry[] {
    return super.all().toReversed();
  }

  spent(): number {
    const debited = this.all().filter(({ status }) => status === 'processing' || status === 'processed');
    return debited.reduce((sum, { amount }) => sum + amount + fee.fees, 0);
  }

  summary(): BookSummary {
    const payouts = this.all();
    const executions = new Map<string, number>();
    for (const payout of payouts)
      executions.set(payout.reference, (executions.get(payout.reference) ?? 0) + payout.executions);
    return {
      payouts: payouts.length,
      executions: payouts.reduce((sum, payout) => sum + payout.executions, 0),
      repeats: payouts.reduce((sum, payout) => sum + payout.repeats, 0),
      spent: this.spent(),
      executed_over_once: [...executions].filter(([, times]) => times > 1).map(([reference]) => reference),
    };
  }
}
