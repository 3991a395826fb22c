/** Visa's representation of a transaction: in the response to its push, and in the records of a query. */
import type { BookEntry } from './book.ts';

/** `isRepeated` marks a duplicate, which gets the first response. Identifiers are numbers here. */
export function outcomeView(entry: BookEntry, isRepeated = false): object {
  const { actionCode } = entry;
  return {
    transactionIdentifier: Number(entry.transactionIdentifier),
    ...(isRepeated ? { actionCode: '94', originalActionCode: actionCode } : { actionCode }),
    ...(actionCode === '00' ? { approvalCode: '20304B' } : {}),
    responseCode: '5',
    transmissionDateTime: entry.at,
    retrievalReferenceNumber: entry.retrievalReferenceNumber,
  };
}

const CURRENCY_NUMBERS: Readonly<Record<string, string>> = { EUR: '978' };

/** Returns the transaction, each of its duplicates and its reversal. Identifiers are strings here. */
export function recordsOf(entry: BookEntry, acquiringBin: string): readonly object[] {
  const { actionCode, acceptedAt, status, repeats, isReversed } = entry;
  const [day = '', time = ''] = acceptedAt.split('T');
  const record = {
    transactionType: 'CRED VOUCHER',
    systemsTraceAuditNumber: entry.systemsTraceAuditNumber,
    transactionIdentifier: entry.transactionIdentifier,
    acquiringBin,
    retrievalReferenceNumber: entry.retrievalReferenceNumber,
    amountInTransactionCurrency: entry.amount,
    transactionCurrencyCode: CURRENCY_NUMBERS[entry.currency] ?? entry.currency,
    transactionDate: day.split('-').reverse().join('-'),
    transactionTime: time.slice(0, 8),
    statusCode: status === 'completed' ? 'COMPLETED' : 'IN_PROGRESS',
    ...(status === 'completed' ? { actionCode, responseCode: '4' } : {}),
  };
  const repetition = { ...record, actionCode: '94', originalActionCode: actionCode };
  return [
    record,
    ...(status === 'completed' ? Array.from({ length: repeats }, () => repetition) : []),
    ...(isReversed ? [{ ...record, transactionType: 'CRED REVERSAL', responseCode: 'C' }] : []),
  ];
}
