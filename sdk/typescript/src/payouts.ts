/** Generated from openapi/gateway.json by sdk/write-types.ts. */

/** Card UAH */
export interface Payout1 {
  readonly method: 1;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'UAH';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** Card USD */
export interface Payout8 {
  readonly method: 8;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'USD';
  /** `mm/yy`, not past */
  readonly exp_date: string;
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
}

/** Card EUR */
export interface Payout9 {
  readonly method: 9;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'EUR';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** Card AZN */
export interface Payout11 {
  readonly method: 11;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'AZN';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** Card KZT */
export interface Payout12 {
  readonly method: 12;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'KZT';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
}

/** Card UAH (alternative) */
export interface Payout16 {
  readonly method: 16;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'UAH';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** Card AZN (with expiry date) */
export interface Payout17 {
  readonly method: 17;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'AZN';
  /** `mm/yy`, not past */
  readonly exp_date: string;
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** Card EUR (Visa) */
export interface Payout22 {
  readonly method: 22;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** A Visa card: 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'EUR';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
}

/** Card EUR (Mastercard) */
export interface Payout23 {
  readonly method: 23;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** A Mastercard: 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'EUR';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
}

/** Mobile KZT */
export interface Payout24 {
  readonly method: 24;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** A Kazakh mobile number, 11 digits from `7`, no `+`: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'KZT';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
}

/** Instant account payout, INR */
export interface Payout26 {
  readonly method: 26;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 5–34 letters and digits: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'INR';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
  /** `+91` and ten digits */
  readonly customs_phone: string;
  /** An email address */
  readonly customs_email: string;
  /** An IFSC of 11 characters whose bank exists */
  readonly customs_ifsc: string;
  /** IPv4 with four decimal parts, or IPv6 */
  readonly customs_ip: string;
}

/** IBAN payout, UAH */
export interface Payout34 {
  readonly method: 34;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** An IBAN from `UA`, valid check digits: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'UAH';
  /** Latin letters, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
  /** 12–19 digits, valid check digit */
  readonly customs_card: string;
  /** Ten digits, or the number of a passport: two letters and six digits, or nine digits */
  readonly customs_inn: string;
}

/** Card sandbox */
export interface Payout70 {
  readonly method: 70;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, no check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'TST';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name?: string;
}

/** E-transfer payout, CAD */
export interface Payout92 {
  readonly method: 92;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 5–34 letters and digits, or an email address: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'CAD';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
  /** 7–15 digits, with or without `+`, a possible number of its country */
  readonly customs_phone: string;
  /** An email address */
  readonly customs_email: string;
}

/** Card EUR (alternative) */
export interface Payout93 {
  readonly method: 93;
  /** Your id of the payout. Never reuse an id */
  readonly payout_id: string;
  /** 12–19 digits, valid check digit: receives the money */
  readonly account: string;
  /** 1–12 digits, at most 2 more after a `.`, above zero */
  readonly amount: string;
  readonly currency: 'EUR';
  /** Letters of any script, single spaces, `.`, `'`, `’`, `-` between them */
  readonly full_name: string;
  /** `dd-mm-yyyy`, a day from 1900 until today */
  readonly customs_birthday: string;
  /** `+` and 7–15 digits, a possible number of its country */
  readonly customs_phone: string;
  /** An email address */
  readonly customs_email: string;
  /** Letters, digits, spaces, `. , ' ’ / # № ( ) & -` */
  readonly customs_address: string;
  /** Letters, digits, spaces, `. , ' ’ / # № ( ) & -` */
  readonly customs_city: string;
  /** Letters, digits, spaces, `. , ' ’ / # № ( ) & -` */
  readonly customs_state: string;
  /** Letters and digits, spaces and `-` between them */
  readonly customs_post_code: string;
  /** 1–64 of letters, digits, `.`, `_`, `-`; not `0` alone */
  readonly customs_user_id: string;
  /** Two-letter country code (ISO 3166-1), any case */
  readonly customs_country: string;
}

export type Payout =
  | Payout1
  | Payout8
  | Payout9
  | Payout11
  | Payout12
  | Payout16
  | Payout17
  | Payout22
  | Payout23
  | Payout24
  | Payout26
  | Payout34
  | Payout70
  | Payout92
  | Payout93;

/** The fields that `sign` covers, by method. */
export const COVERED: Readonly<Record<number, readonly string[]>> = {
  1: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  8: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  9: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  11: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  12: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  16: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  17: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  22: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  23: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  24: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  26: [
    'account',
    'amount',
    'currency',
    'customs_email',
    'customs_ifsc',
    'customs_ip',
    'customs_phone',
    'merchant',
    'method',
    'payout_id',
  ],
  34: ['account', 'amount', 'currency', 'customs_card', 'customs_inn', 'full_name', 'merchant', 'method', 'payout_id'],
  70: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
  92: [
    'account',
    'amount',
    'currency',
    'customs_email',
    'customs_phone',
    'full_name',
    'merchant',
    'method',
    'payout_id',
  ],
  93: ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'],
};
