/** Trustly's AccountLedger: the settled entries with their fees, between two dates. It omits outgoing money. */
import { toText } from '../kernel/amounts.ts';
import type { Book, BookEntry } from './book.ts';
import type { LedgerRequest } from './calls.ts';
import { conductOf } from './conducts.ts';
import { timestampOf } from './deliveries.ts';

const feeCents = 35n;

export function ledgerRows(book: Book, { from, to }: LedgerRequest): object[] {
  const isWithin = ({ at }: BookEntry) => at.slice(0, 10) >= from && at.slice(0, 10) < to;
  // A payment that will be debited never settled.
  const settled = book
    .ofKind('credited')
    .filter(({ conduct }) => conduct === null || conductOf(conduct).afterwards !== 'debit');
  return settled
    .filter(isWithin)
    .flatMap((entry) => [
      row(entry, 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_FINLAND_OKOY', entry.notification?.amount ?? entry.amount),
      row(entry, 'TRANSACTION_FEE_BANK_DEPOSIT', toText(-feeCents)),
    ]);
}

function row({ at, orderId, messageId, endUserId }: BookEntry, accountname: string, amount: string): object {
  return {
    userid: endUserId,
    datestamp: timestampOf(at),
    orderid: orderId,
    accountname,
    messageid: messageId,
    transactiontype: 'User deposit of client funds to CLIENT_FUNDS_FINLAND_OKOY',
    currency: 'EUR',
    // Trustly writes some amounts with many zeros.
    amount: `${amount}000000`,
    gluepayid: orderId,
  };
}
