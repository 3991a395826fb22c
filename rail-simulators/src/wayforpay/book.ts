/** WayForPay's own book: every accepted payout and all its events. */
import { BookEntries, totalOf } from '../kernel/book-entries.ts';
import type { ConductName, Status } from './conducts.ts';

export type PayoutType = 'P2P_CREDIT' | 'P2P_ACCOUNT';

/** `repeated` means that the same reference was sent again. */
export type EntryKind = 'accepted' | 'executed' | 'declined' | 'reversed' | 'repeated' | 'acknowledged';

export interface Payout {
  readonly reference: string;
  readonly type: PayoutType;
  /** In kopecks, as a string. */
  readonly kopecks: string;
  /** A masked card, or an IBAN. */
  readonly beneficiary: string;
  readonly serviceUrl: string;
  readonly status: Status;
  readonly reasonCode: number;
  readonly authCode: string;
  /** In Unix seconds. */
  readonly createdDate: number;
  readonly processingDate: number;
  readonly conduct: ConductName;
  /** How often it was accepted: once, unless a repeated reference is executed again. */
  readonly acceptances: number;
  /** How often the payout was executed. A reversal does not reduce it. */
  readonly executions: number;
  readonly repeats: number;
}

export interface BookEntry extends Payout {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export class Book extends BookEntries<BookEntry, string> {
  #held = 0n;

  constructor() {
    super(({ reference }) => reference);
  }

  /** Returns the kopecks that reduce the balance: paid out or in processing. */
  held(): bigint {
    return this.#held;
  }

  summary(): object {
    const all = this.all();
    const executed = all.filter(({ executions }) => executions > 0);
    const paidOut = all.filter(({ status }) => status === 'Approved');
    return {
      references: all.length,
      executed: executed.length,
      executions: totalOf(executed, ({ executions }) => executions),
      declined: all.filter(({ status }) => status === 'Declined').length,
      reversed: all.filter(({ status }) => status === 'Refunded').length,
      repeats: totalOf(all, ({ repeats }) => repeats),
      paid_out: String(paidOut.map(heldFor).reduce((sum, each) => sum + each, 0n)),
      executed_over_once: executed.filter(({ executions }) => executions > 1).map(({ reference }) => reference),
    };
  }

  override clear(): void {
    super.clear();
    this.#held = 0n;
  }

  protected override register(entry: BookEntry, before: BookEntry | undefined): void {
    this.#held += heldFor(entry) - heldFor(before);
  }
}

/** Returns the amount by which a payout currently reduces the balance. */
function heldFor(payout: Payout | undefined): bigint {
  const isHeld = payout?.status === 'Approved' || payout?.status === 'InProcessing';
  return isHeld ? BigInt(payout.kopecks) * BigInt(payout.acceptances) : 0n;
}
