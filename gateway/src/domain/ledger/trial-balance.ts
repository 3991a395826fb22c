/** The trial balance: each account's balance as a debit or a credit, and their totals, which are equal. */
import type { Currency } from '../../foundation/currency.ts';
import type { TrialLine } from './ledger-store.ts';
import type { AccountName } from './transfer.ts';

/** Debit and credit in minor units. In each entry, one of the two is zero. */
export interface DebitAndCredit {
  readonly debit: bigint;
  readonly credit: bigint;
}

interface TrialEntry extends DebitAndCredit {
  readonly currency: Currency;
  readonly account: AccountName;
}

interface TrialTotals {
  readonly entries: readonly TrialEntry[];
  readonly totals: readonly (DebitAndCredit & { readonly currency: Currency })[];
  readonly isBalanced: boolean;
}

export function totalTrialBalance(lines: readonly TrialLine[]): TrialTotals {
  const entries = lines.map(({ currency, account, balance }) => ({
    currency,
    account,
    debit: balance < 0n ? -balance : 0n,
    credit: balance > 0n ? balance : 0n,
  }));
  const sums = new Map<Currency, DebitAndCredit>();
  for (const { currency, debit, credit } of entries) {
    const sum = sums.get(currency) ?? { debit: 0n, credit: 0n };
    sums.set(currency, { debit: sum.debit + debit, credit: sum.credit + credit });
  }
  const totals = Array.from(sums, ([currency, sum]) => ({ currency, ...sum }));
  return { entries, totals, isBalanced: totals.every(({ debit, credit }) => debit === credit) };
}
