/** WayForPay's representation of a payout in a response, a callback and a list. */
import { toText as withDecimals } from '../kernel/amounts.ts';
import { jsonNumber } from '../kernel/fields.ts';
import type { BookEntry } from './book.ts';
import type { Account } from './processing.ts';
import { REASONS } from './reasons.ts';
import { ANSWER_SIGNED, signatureOf } from './signature.ts';

/** Returns kopecks in WayForPay's format, such as `100`, `100.5` or `1547.36`. */
export function toText(kopecks: bigint): string {
  return withDecimals(kopecks).replace(/\.?0+$/, '');
}

/** Numbers are in the text form that is signed. */
function fieldsOf(entry: BookEntry) {
  return {
    orderReference: entry.reference,
    amount: toText(BigInt(entry.kopecks)),
    currency: 'UAH',
    authCode: entry.authCode,
    createdDate: String(entry.createdDate),
    processingDate: String(entry.processingDate),
    ...(entry.type === 'P2P_CREDIT' ? { cardPan: entry.beneficiary } : {}),
    transactionStatus: entry.status,
    reason: REASONS.get(entry.reasonCode) ?? '',
    reasonCode: String(entry.reasonCode),
  };
}

type Said = ReturnType<typeof fieldsOf>;

function withNumbers(fields: Partial<Said>): object {
  const numbers = ['amount', 'createdDate', 'processingDate', 'reasonCode'] as const;
  const written = numbers.flatMap((name) => (fields[name] === undefined ? [] : [[name, jsonNumber(fields[name])]]));
  return { ...fields, ...Object.fromEntries(written) };
}

/** `change` overrides true values. */
export function signedView(
  entry: BookEntry,
  { merchantAccount, secretKey }: Account,
  signedAs: keyof typeof ANSWER_SIGNED,
  change: Partial<Said> = {},
): object {
  const fields = { ...fieldsOf(entry), ...change };
  const merchantSignature = signatureOf({ merchantAccount, ...fields }, ANSWER_SIGNED[signedAs], secretKey);
  return { merchantAccount, merchantSignature, ...withNumbers(fields) };
}

export function rowView(entry: BookEntry): object {
  return { transactionType: entry.type, ...withNumbers(fieldsOf(entry)) };
}

/** Returns the response to a request without an order. */
export function requestView(reasonCode: number): object {
  return { reason: REASONS.get(reasonCode) ?? '', reasonCode };
}
