/**
 * Trustly's AccountLedger: the settled entries with their fees, between two dates, without outgoing money. And its report
 * of a daily settlement, which has the refunds too.
 */
import { toText } from '../kernel/amounts.ts';
import type { Book, BookEntry } from './book.ts';
import type { LedgerRequest } from './calls.ts';
import { conductOf } from './conducts.ts';
import { timestampOf } from './deliveries.ts';

const feeCents = 35n;
const dayMs = 86_400_000;

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

const settlementColumns =
  'datestamp,accountname,currency,amount,total,orderid,ordertype,messageid,username,fxpaymentamount,fxpaymentcurrency,settlementbankwithdrawalid,externalreference';

/** The settlement of `date` has the transactions of the day before. Times are quoted, as in Trustly's reports. */
export function settlementReport(book: Book, date: string): string {
  const day = new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);
  const isWithin = ({ at }: BookEntry) => at.startsWith(day);
  const credits = book
    .ofKind('credited')
    .filter(isWithin)
    .flatMap((entry) => [
      line(entry, 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_FINLAND_OKOY', 'Deposit', entry.notification?.amount ?? entry.amount),
      line(entry, 'TRANSACTION_FEE_BANK_DEPOSIT', '"Deposit Fee"', toText(-feeCents)),
    ]);
  const refunds = book
    .ofKind('refunded')
    .filter(isWithin)
    .flatMap((entry) => [
      line(entry, 'BANK_WITHDRAWAL_QUEUED', 'Refund', `-${entry.refund?.amount}`, entry.refund?.reference),
      line(entry, 'TRANSACTION_FEE_BANK_WITHDRAWAL', '"Refund Fee"', toText(-feeCents), entry.refund?.reference),
    ]);
  return [settlementColumns, ...credits, ...refunds, ''].join('\n');
}

function line(entry: BookEntry, account: string, type: string, amount: string, reference = ''): string {
  const { at, orderId, messageId } = entry;
  const message = type.includes('Deposit') ? messageId : `"Refund ${timestampOf(at)} ${messageId}"`;
  return `"${timestampOf(at)}",${account},EUR,${amount},,${orderId},${type},${message},client,,,,${reference}`;
}
