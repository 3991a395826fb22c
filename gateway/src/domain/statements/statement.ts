/** A statement of a merchant's money in one currency and period. Opening balance plus lines equals closing balance. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Transfer, TransferKind } from '../ledger/transfer.ts';

export interface StatementOrder {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly from: Instant;
  /** The exclusive end of the period. */
  readonly until: Instant;
}

/** The balances in minor units. As in the ledger, `owed` is not above zero. */
export interface StatementBalance {
  readonly available: bigint;
  readonly reserved: bigint;
  readonly owed: bigint;
}

export const totalOf = ({ available, reserved, owed }: StatementBalance) => available + reserved + owed;

/** A posting of the ledger with the payment to which it belongs. */
export interface StatementPosting extends Transfer {
  readonly postedAt: Instant;
  readonly journalId: string;
  readonly line: number;
  readonly payoutId: string | null;
  readonly orderId: string | null;
  readonly transactionId: number | null;
}

export interface StatementLine {
  readonly postedAt: Instant;
  readonly kind: TransferKind;
  /** The change in minor units. Negative if the merchant has less afterwards. */
  readonly amount: bigint;
  /** The balance after the line: available plus reserved minus owed. */
  readonly balance: bigint;
  readonly payoutId: string | null;
  readonly orderId: string | null;
  readonly transactionId: number | null;
  readonly journalId: string;
}

export interface StatementTotal {
  readonly kind: TransferKind;
  readonly lines: number;
  readonly amount: bigint;
}

export interface StatementHead extends StatementOrder {
  readonly opening: StatementBalance;
  readonly closing: StatementBalance;
  readonly lines: number;
  /** The totals of each kind of line, in the order of their first line. */
  readonly totals: readonly StatementTotal[];
  /** False if the period is not closed. A later statement of it may differ, so the gateway does not sign this one. */
  readonly isFinal: boolean;
}

const OWN: ReadonlySet<string> = new Set(['available', 'reserved', 'owed']);

/**
 * Fees that a journal takes from the money of a payment before the merchant gets it, or returns together with it. The
 * statement shows both: the full payment, and the fee as a separate line.
 */
const FEES_BESIDE: Readonly<Partial<Record<TransferKind, { readonly of: TransferKind; readonly sign: bigint }>>> = {
  deposit_fee: { of: 'deposit', sign: -1n },
  fee_returned: { of: 'displaced', sign: 1n },
};

/** Returns the lines that a posting causes. A move between the merchant's own accounts causes none. */
export function linesOf(posting: StatementPosting): readonly Pick<StatementLine, 'kind' | 'amount'>[] {
  const { kind, debit, credit, amount } = posting;
  const beside = FEES_BESIDE[kind];
  if (beside)
    return [
      { kind: beside.of, amount: -beside.sign * amount },
      { kind, amount: beside.sign * amount },
    ];
  const change = (OWN.has(credit) ? amount : 0n) - (OWN.has(debit) ? amount : 0n);
  return change === 0n ? [] : [{ kind, amount: change }];
}
