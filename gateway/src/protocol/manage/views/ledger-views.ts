/** Balances and ledger lines, as the management API shows them. */
import type { Balance } from '../../../../contract/endpoints/merchants.ts';
import type { LedgerLine as LedgerLineView } from '../../../../contract/parts/answer-parts.ts';
import { type Balances, balanceOf, type LedgerLine } from '../../../domain/ledger/transfer.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { instantText } from './instant-text.ts';

/** Returns the accounts that users need to see, with `owed` as a positive amount. */
export function viewBalance(currency: Currency, balances: Balances): Balance {
  const amount = (minor: bigint) => formatAmount({ currency, minor });
  return {
    currency,
    available: amount(balanceOf(balances, 'available')),
    reserved: amount(balanceOf(balances, 'reserved')),
    owed: amount(-balanceOf(balances, 'owed')),
  };
}

export function viewLedgerLine({ journalId, kind, debit, credit, amount, ...line }: LedgerLine): LedgerLineView {
  const { currency, note, postedAt } = line;
  const money = formatAmount({ currency, minor: amount });
  return { at: instantText(postedAt), journal: journalId, kind, debit, credit, amount: money, currency, note };
}
