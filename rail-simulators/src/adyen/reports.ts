/** Adyen's Payments accounting report of a day, as a file for its report user. It contains only the steps of refunds. */
import { basic, isSame } from '../kernel/credentials.ts';
import type { Answer, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry, EntryKind } from './book.ts';

export const REPORT_USER = { user: 'report@Company.Gateway', password: 'adyen-reports-password' } as const;

interface ReportParts {
  readonly book: Book;
  readonly merchantAccount: string;
  readonly now: () => number;
}

const HEADER =
  'Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Main Currency,Main Amount,Record Type,Modification Psp Reference,Modification Merchant Reference';
const RECORD_TYPES: Partial<Record<EntryKind, readonly string[]>> = {
  refunded: ['SentForRefund', 'Refunded'],
  refund_failed: ['RefundedReversed'],
};

/** Returns 404 until the day is over. */
export function reportRoute(parts: ReportParts): Route {
  const path = `/reports/download/MerchantAccount/${parts.merchantAccount}/*`;
  const wanted = basic(REPORT_USER.user, REPORT_USER.password);
  const plain = (status: number, body: string): Answer => ({ status, body, contentType: 'text/plain' });
  const download = (file = '') => {
    const [, ...date] = /^payments_accounting_report_(\d{4})_(\d{2})_(\d{2})\.csv$/.exec(file) ?? [];
    const day = date.join('-');
    const isOver = day !== '' && day < new Date(parts.now()).toISOString().slice(0, 10);
    return isOver ? plain(200, reportOf(parts, day)) : plain(404, 'Not found');
  };
  return {
    verb: 'GET',
    path,
    answer: ({ headers, segments }) =>
      isSame(headers.authorization, wanted) ? download(segments[0]) : plain(401, 'Unauthorized'),
  };
}

function reportOf({ book, merchantAccount }: ReportParts, day: string): string {
  const entries = book.entries().filter(({ at }) => at.startsWith(day));
  const rows = entries.flatMap((entry) => (RECORD_TYPES[entry.kind] ?? []).map((type) => row(entry, type)));
  return [HEADER, ...rows.map((each) => `${merchantAccount},${each}`), ''].join('\n');
}

function row({ at, pspReference, reference, currency, event }: BookEntry, type: string): string {
  const amount = ((event?.value ?? 0) / 100).toFixed(2);
  const booked = `${at.slice(0, 10)} ${at.slice(11, 19)},UTC`;
  return `${pspReference},${reference},${booked},${currency},${amount},${type},${event?.pspReference},${event?.merchantReference}`;
}
