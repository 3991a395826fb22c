/** Adyen's Payments accounting report of a day: the steps of each payment and refund, as a file for the report user. */
import { basic, isSame } from '../kernel/credentials.ts';
import type { Answer, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry, EntryKind } from './book.ts';

export interface ReportParts {
  readonly book: Book;
  readonly merchantAccount: string;
  readonly reportUser: string;
  readonly reportPassword: string;
  readonly now: () => number;
}

const columns = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Payment Method', 'Booking Date'],
  ...['TimeZone', 'Main Currency', 'Main Amount', 'Record Type', 'Modification Psp Reference'],
  'Modification Merchant Reference',
];

const recordTypes: Partial<Record<EntryKind, readonly string[]>> = {
  authorised: ['Received', 'Authorised', 'SentForSettle'],
  refunded: ['SentForRefund', 'Refunded'],
  refund_failed: ['RefundedReversed'],
  charged_back: ['Chargeback'],
  chargeback_reversed: ['ChargebackReversed'],
};

/** Answers 404 until the day is over. */
export function reportRoutes(parts: ReportParts): readonly Route[] {
  const path = `/reports/download/MerchantAccount/${parts.merchantAccount}/*`;
  return [{ verb: 'GET', path, answer: ({ headers, segments }) => download(parts, headers, segments[0] ?? '') }];
}

function download(parts: ReportParts, headers: { authorization?: string | undefined }, file: string): Answer {
  const { reportUser, reportPassword, now } = parts;
  const wanted = basic(reportUser, reportPassword);
  if (!isSame(headers.authorization ?? '', wanted)) return { status: 401, body: 'Unauthorized', contentType };
  const [, ...date] = /^payments_accounting_report_(\d{4})_(\d{2})_(\d{2})\.csv$/.exec(file) ?? [];
  const day = date.join('-');
  const isOver = day !== '' && day < new Date(now()).toISOString().slice(0, 10);
  return isOver
    ? { status: 200, body: reportOf(parts, day), contentType: 'text/csv' }
    : { status: 404, body: 'Not found', contentType };
}

const contentType = 'text/plain';

function reportOf({ book, merchantAccount }: ReportParts, day: string): string {
  const rows = book
    .entries()
    .filter(({ at }) => at.startsWith(day))
    .flatMap((entry) => (recordTypes[entry.kind] ?? []).map((type) => row(entry, merchantAccount, type)));
  return [columns.join(','), ...rows, ''].join('\n');
}

function row({ at, pspReference, reference, brand, currency, value, event }: BookEntry, account: string, type: string) {
  const isModification = event !== null && event.pspReference !== pspReference;
  const amount = ((isModification ? event.value : value) / 100).toFixed(2);
  const modified = isModification ? `${event.pspReference},${event.merchantReference}` : ',';
  const booked = `${at.slice(0, 10)} ${at.slice(11, 19)}`;
  return `Company,${account},${pspReference},${reference},${brand},${booked},UTC,${currency},${amount},${type},${modified}`;
}
