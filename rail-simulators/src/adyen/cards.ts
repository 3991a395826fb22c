/**
 * The outcome of a payment by card number. Some numbers have the same meaning in Adyen's test environment. The others are
 * invented, in an unassigned range, each with a valid check digit.
 */

export type Authentication = 'none' | 'fingerprint' | 'challenge' | 'fingerprint_challenge' | 'no_method';

/**
 * - `authorise`; `refuse` with a reason code; `error` and `cancelled`: other outcomes without money.
 * - `pending_*`: the response reports Pending or Received, and the webhook reports the outcome.
 * - `silent_*`: decided, but no request about the payment gets a response; the webhook reports the outcome.
 */
export type Outcome =
  | 'authorise'
  | 'refuse'
  | 'error'
  | 'cancelled'
  | 'pending_authorise'
  | 'pending_refuse'
  | 'received_authorise'
  | 'silent_authorise'
  | 'silent_refuse';

export interface Behaviour {
  readonly authentication: Authentication;
  readonly outcome: Outcome;
  readonly refusalCode: string;
}

const AUTHORISE = { outcome: 'authorise', refusalCode: '' } as const;
const refuse = (refusalCode: string) => ({ authentication: 'none', outcome: 'refuse', refusalCode }) as const;
const ends = (outcome: Outcome, refusalCode = '') => ({ authentication: 'none', outcome, refusalCode }) as const;

/** Returns a card number in the invented range. `digits` contains two digits. */
export function madeUpCard(family: '0' | '1', digits: string): string {
  return withCheckDigit(`40000${family}${digits}0000000`);
}

/** Returns the card that is refused with this reason code of one or two digits. */
export const cardRefusedFor = (code: string): string => madeUpCard('0', code.padStart(2, '0'));

const NAMED: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['4111111111111111', { authentication: 'none', ...AUTHORISE }],
  ['5201281505129736', { authentication: 'fingerprint', ...AUTHORISE }],
  ['4212345678910006', { authentication: 'fingerprint_challenge', ...AUTHORISE }],
  ['5454545454545454', { authentication: 'challenge', ...AUTHORISE }],
  [madeUpCard('1', '01'), ends('silent_authorise')],
  [madeUpCard('1', '02'), ends('silent_refuse', '2')],
  [madeUpCard('1', '03'), ends('pending_authorise')],
  [madeUpCard('1', '04'), ends('pending_refuse', '12')],
  [madeUpCard('1', '05'), ends('received_authorise')],
  [madeUpCard('1', '06'), ends('error', '4')],
  [madeUpCard('1', '07'), ends('cancelled', '15')],
  [madeUpCard('1', '08'), { authentication: 'no_method', ...AUTHORISE }],
  [madeUpCard('1', '09'), { authentication: 'challenge', outcome: 'refuse', refusalCode: '12' }],
]);

export function behaviourOf(number: string): Behaviour {
  const named = NAMED.get(number);
  if (named) return named;
  const [, code] = /^400000(\d\d)0{7}\d$/.exec(number) ?? [];
  return code && REFUSAL_REASONS[String(Number(code))]
    ? refuse(String(Number(code)))
    : { authentication: 'none', ...AUTHORISE };
}

export const REFUSAL_REASONS: Readonly<Record<string, string>> = {
  2: 'Refused',
  3: 'Referral',
  4: 'Acquirer Error',
  5: 'Blocked Card',
  6: 'Expired Card',
  7: 'Invalid Amount',
  8: 'Invalid Card Number',
  9: 'Issuer Unavailable',
  10: 'Not supported',
  11: '3D Not Authenticated',
  12: 'Not enough balance',
  14: 'Acquirer Fraud',
  15: 'Cancelled',
  16: 'Shopper Cancelled',
  17: 'Invalid Pin',
  18: 'Pin tries exceeded',
  19: 'Pin validation not possible',
  20: 'FRAUD',
  21: 'Not Submitted',
  22: 'FRAUD-CANCELLED',
  23: 'Transaction Not Permitted',
  24: 'CVC Declined',
  25: 'Restricted Card',
  26: 'Revocation Of Auth',
  27: 'Declined Non Generic',
  28: 'Withdrawal amount exceeded',
  29: 'Withdrawal count exceeded',
  31: 'Issuer Suspected Fraud',
  32: 'AVS Declined',
  38: 'Authentication required',
  39: 'RReq not received from DS',
  42: '3DS Authentication Error',
};

export const NOT_AUTHENTICATED = '11';

export function isCardNumber(text: string): boolean {
  return /^\d{12,19}$/.test(text) && withCheckDigit(text.slice(0, -1)) === text;
}

/** Appends the check digit of ISO/IEC 7812-1 (Luhn). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'visa';
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return 'mc';
  return /^3[47]/.test(number) ? 'amex' : 'card';
}
