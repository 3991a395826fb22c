/**
 * Builds and sends valid, signed requests of the payout API. It is written only from the API documentation and shares no table
 * or signing code with the gateway, so that it does not repeat the gateway's mistakes.
 */
import { createHash, createHmac } from 'node:crypto';
import { sendRequest } from '../tools/send-request.ts';

/** `undefined` removes the field. Values that are not strings are for tests of rejections. */
export type RequestFields = Readonly<Record<string, unknown>>;

const CARD_SIGNED = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'] as const;

/** The signed fields of methods that sign more than the six of the card methods. */
const SIGNED: Readonly<Record<number, readonly string[] | 'all'>> = {
  26: [...CARD_SIGNED, 'customs_phone', 'customs_email', 'customs_ifsc', 'customs_ip'],
  34: 'all',
  92: [...CARD_SIGNED, 'full_name', 'customs_phone', 'customs_email'],
};

export const VISA_CARD = '4111111111111111';
export const MASTERCARD = '5555555555554444';

/** The fields that each method requires, besides merchant, method, payout_id and amount. */
export const EXAMPLE_PAYOUTS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { account: VISA_CARD, currency: 'UAH' },
  8: { account: VISA_CARD, currency: 'USD', exp_date: '12/39', full_name: 'Maria Muñoz' },
  9: { account: MASTERCARD, currency: 'EUR' },
  11: { account: VISA_CARD, currency: 'AZN' },
  12: { account: VISA_CARD, currency: 'KZT', full_name: 'Айгуль Сапарова' },
  16: { account: MASTERCARD, currency: 'UAH' },
  17: { account: VISA_CARD, currency: 'AZN', exp_date: '12/39' },
  22: { account: VISA_CARD, currency: 'EUR', full_name: "Anne-Marie O'Neil" },
  23: { account: MASTERCARD, currency: 'EUR', full_name: 'José Núñez' },
  24: { account: '77011234567', currency: 'KZT', full_name: 'Dana Akhmetova' },
  26: {
    account: '50100012345678',
    currency: 'INR',
    full_name: 'Ravi Kumar',
    customs_phone: '+919876543210',
    customs_email: 'r@example.com',
    customs_ifsc: 'HDFC0000001',
    customs_ip: '203.0.113.7',
  },
  34: {
    account: 'UA213223130000026007233566001',
    currency: 'UAH',
    full_name: 'Ivan P',
    customs_card: '5168742231234562',
    customs_inn: '3184710691',
  },
  70: { account: VISA_CARD, currency: 'TST' },
  92: {
    account: 'jo@example.com',
    currency: 'CAD',
    full_name: 'Jo Do',
    customs_phone: '+14165550123',
    customs_email: 'jo@example.com',
  },
  93: {
    account: MASTERCARD,
    currency: 'EUR',
    full_name: 'Greta Weiß',
    customs_birthday: '29-02-1988',
    customs_phone: '+4915112345678',
    customs_email: 'greta@example.com',
    customs_address: 'Lange Straße 7',
    customs_city: 'Köln',
    customs_state: 'Nordrhein-Westfalen',
    customs_post_code: '50667',
    customs_user_id: 'u-17',
    customs_country: 'DE',
  },
};

export const ALL_METHODS: readonly number[] = Object.keys(EXAMPLE_PAYOUTS).map(Number);

interface PayoutRequestOptions {
  readonly merchant: string;
  readonly key: string;
  readonly method: number;
  readonly payoutId: string;
  /** Changes to the example before signing. `undefined` removes a field. */
  readonly change?: RequestFields;
}

/** Returns a valid, signed payout_send body, with `change` applied. */
export function payoutRequest({ merchant, key, method, payoutId, change = {} }: PayoutRequestOptions): RequestFields {
  const example = EXAMPLE_PAYOUTS[method] ?? EXAMPLE_PAYOUTS[9];
  const fields = present({ merchant, method, payout_id: payoutId, amount: '10.00', ...example, ...change });
  return { ...fields, sign: signOver(fields, SIGNED[method] ?? CARD_SIGNED, key) };
}

/** Signs a request for a status, a balance or a list, whose signature covers every field. */
export function fullySigned(fields: RequestFields, key: string): RequestFields {
  return { ...present(fields), sign: signOver(present(fields), 'all', key) };
}

/** Applies the MD5 scheme to `names`, skipping absent and null fields. */
export function signOver(fields: RequestFields, names: readonly string[] | 'all', key: string): string {
  const covered = names === 'all' ? Object.keys(fields).filter((name) => name !== 'sign') : names;
  const inOrder = covered.filter((name) => fields[name] !== undefined && fields[name] !== null);
  inOrder.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  const joined = [...inOrder.map((name) => String(fields[name])), key].join(':');
  return createHash('md5').update(joined, 'utf8').digest('base64');
}

/** Returns the headers that authenticate a complete body. */
export function xSignHeaders(merchant: string, key: string, body: string | Buffer): Record<string, string> {
  const hex = createHmac('sha256', key).update(body).digest('hex');
  return { 'x-merchant': merchant, 'x-sign': Buffer.from(hex).toString('base64') };
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, or undefined if the text is not JSON. */
  readonly json: unknown;
}

/** Posts an object as JSON, and strings and bytes unchanged. */
export async function post(
  url: string,
  body: RequestFields | string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<WireAnswer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: raw };
  const answer = await sendRequest(url, sent);
  return { ...answer, json: readJson(answer.text) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function present(fields: RequestFields): RequestFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
