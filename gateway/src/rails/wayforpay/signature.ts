/**
 * Signs and verifies as WayForPay does: HMAC-MD5 under the merchant's SecretKey, in lower-case hexadecimal, of some fields
 * joined by `;`. Pure: no network, no clock.
 *  Confirmed by WayForPay's pages: the algorithm; the signed fields of P2P_CREDIT, P2P_ACCOUNT, CHECK_STATUS,
 *  TRANSACTION_LIST and the balance, of the response to CHECK_STATUS and of a purchase's callback, and of the
 *  acknowledgement. Confirmed by the vector in a public client's tests: UTF-8, and `;` between all fields. Confirmed by
 *  public clients only: an absent field is empty; numbers are signed in their JSON notation; the signatures of payouts'
 *  responses and callbacks cover fewer fields than those of purchases. One client has yet another order of fields for a
 *  card's response. **The gateway therefore accepts each of these orders**: all of them cover the account, the reference, the
 *  amount, the status and its reason, and the gateway uses only these.
 */
import { createHmac } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import { type JsonObject, textOf } from '../kit/provider-json.ts';

export type SignedFields = Readonly<Record<string, string>>;

/** The signed fields of each request. */
export const SIGNED = {
  P2P_CREDIT: ['merchantAccount', 'orderReference', 'amount', 'currency', 'cardBeneficiary', 'rec2Token'],
  P2P_ACCOUNT: ['merchantAccount', 'orderReference', 'amount', 'currency', 'iban', 'okpo', 'accountName'],
  CHECK_STATUS: ['merchantAccount', 'orderReference'],
  TRANSACTION_LIST: ['merchantAccount', 'dateBegin', 'dateEnd'],
  BALANCE: ['merchantAccount'],
} as const;

const LEADING = ['merchantAccount', 'orderReference', 'amount', 'currency'] as const;
const ENDING = ['transactionStatus', 'reasonCode'] as const;
const ORDER_SIGNED: readonly (readonly string[])[] = [
  [...LEADING, 'authCode', ...ENDING],
  [...LEADING, ...ENDING],
  [...LEADING, 'authCode', 'cardPan', ...ENDING],
  [...LEADING, 'authCode', 'createdDate', 'processingDate', ...ENDING],
];

const NUMBERS: ReadonlySet<string> = new Set(['amount', 'apiVersion', 'dateBegin', 'dateEnd', 'time']);

export function signatureOf(values: readonly string[], secretKey: Secret): string {
  return createHmac('md5', secretKey.reveal()).update(values.join(';'), 'utf8').digest('hex');
}

/** Returns the JSON of a request. Its numbers arrive as the signed strings, and are written as numbers in the same notation. */
export function writeSigned(fields: SignedFields, signed: readonly string[], secretKey: Secret): string {
  const values = signed.map((name) => fields[name] ?? '');
  return writeJson({ ...fields, merchantSignature: signatureOf(values, secretKey) });
}

export function writeJson(fields: SignedFields): string {
  const written = Object.entries(fields).map(
    ([name, text]) => `${JSON.stringify(name)}:${NUMBERS.has(name) ? text : JSON.stringify(text)}`,
  );
  return `{${written.join(',')}}`;
}

/**
 * Returns true if WayForPay signed the statement. Nothing marks the end of a field, so this proves something only if the first
 * and last fields have distinct forms. readStatement checks them.
 */
export function isOrderSigned(fields: JsonObject, secretKey: Secret): boolean {
  const given = textOf(fields, 'merchantSignature');
  const amount = textOf(fields, 'amount');
  return [...new Set([amount, plainNumber(amount)])].some((amountText) =>
    ORDER_SIGNED.some((names) => {
      const values = names.map((name) => (name === 'amount' ? amountText : textOf(fields, name)));
      return equalInConstantTime(given, signatureOf(values, secretKey));
    }),
  );
}

/** `100`, `100.5`: without trailing zeros. It must take linear time, because it also processes unauthenticated text. */
export function plainNumber(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}
