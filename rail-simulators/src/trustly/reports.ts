/** Trustly's AccountLedger (the settled credits between two dates, with their fees), and its reports of daily settlements. */
import { DAY_MS } from '../clock.ts';
import { toText } from '../kernel/amounts.ts';
import type { Book, BookEntry } from './book.ts';
import { conductOf } from './conducts.ts';
import { timestampOf } from './notifications.ts';
import type { LedgerRequest } from './requests.ts';

const FEE_CENTS = 35n;

export function ledgerRows(book: Book, { from, to }: LedgerRequest): object[] {
  const isWithin = ({ at }: BookEntry) => at.slice(0, 10) >= from && at.slice(0, 10) < to;
  // A payment that will be debited has never settled.
  const settled = book
    .ofKind('credited')
    .filter(({ conduct }) => conduct === null || conductOf(conduct).afterwards !== 'debit');
  return settled
    .filter(isWithin)
    .flatMap((entry) => [
      row(entry, 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_FINLAND_OKOY', entry.notification?.amount ?? entry.amount),
      row(entry, 'TRANSACTION_FEE_BANK_DEPOSIT', toText(-FEE_CENTS)),
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

const SETTLEMENT_COLUMNS =
  'datestamp,accountname,currency,amount,total,orderid,ordertype,messageid,username,fxpaymentamount,fxpaymentcurrency,settlementbankwithdrawalid,externalreference';

/** Returns the settlement of `date`, which covers the day before. This report contains only its refunds. */
export function settlementReport(book: Book, date: string): string {
  const day = new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
  const refunds = book.ofKind('refunded').filter(({ at }) => at.startsWith(day));
  const lines = refunds.flatMap(({ at, orderId, messageId, refund }) => {
    const line = (account: string, amount: string, type: string) =>
      `"${timestampOf(at)}",${account},EUR,${amount},,${orderId},${type},"Refund ${messageId}",client,,,,${refund?.reference}`;
    return [
      line('BANK_WITHDRAWAL_QUEUED', `-${refund?.amount}`, 'Refund'),
      line('TRANSACTION_FEE_BANK_WITHDRAWAL', toText(-FEE_CENTS), '"Refund Fee"'),
    ];
  });
  return [SETTLEMENT_COLUMNS, ...lines, ''].join('\n');
}
