/** Adyen's checks of a request before it is carried out, and the errors in Adyen's words. */
import type { IncomingHttpHeaders } from 'node:http';
import { isSame } from '../kernel/credentials.ts';
import { asFields, type Fields, isHttpUrl, parseJson, textOf } from '../kernel/fields.ts';
import { brandOf, isCardNumber } from './cards.ts';
import { cardInToken } from './wallets.ts';

export interface Account {
  readonly merchantAccount: string;
  readonly apiKey: string;
}

export interface ServiceError {
  readonly status: number;
  readonly errorCode: string;
  readonly message: string;
  readonly errorType: 'validation' | 'security' | 'configuration' | 'internal';
}

export interface Amount {
  readonly currency: string;
  /** The amount in minor units. */
  readonly value: number;
}

export interface CheckedPayment {
  readonly reference: string;
  readonly amount: Amount;
  readonly returnUrl: string;
  readonly notificationUrl: string;
  readonly number: string;
  readonly brand: string;
  readonly isNative: boolean;
  readonly capturesAtOnce: boolean;
}

export type Checked<Value> = { readonly value: Value } | { readonly error: ServiceError };

export const invalid = (errorCode: string, message: string): ServiceError => ({
  status: 422,
  errorCode,
  message,
  errorType: 'validation',
});
const UNAUTHORIZED: ServiceError = {
  status: 401,
  errorCode: '000',
  message: 'HTTP Status Response - Unauthorized',
  errorType: 'security',
};
const NOT_ALLOWED: ServiceError = {
  status: 403,
  errorCode: '901',
  message: 'Invalid Merchant Account',
  errorType: 'security',
};

/** Checks the credential, the format and the account of any request. */
export function checkRequest(headers: IncomingHttpHeaders, body: Buffer, account: Account): Checked<Fields> {
  if (!isSame(headers['x-api-key'], account.apiKey)) return { error: UNAUTHORIZED };
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null)
    return { error: { status: 400, errorCode: '702', message: 'Unexpected input', errorType: 'validation' } };
  const fields = asFields(parsed);
  const named = fields['merchantAccount'];
  return named !== undefined && named !== account.merchantAccount ? { error: NOT_ALLOWED } : { value: fields };
}

export function checkPayment(fields: Fields, now: number): Checked<CheckedPayment> {
  const amount = asFields(fields['amount']);
  const method = asFields(fields['paymentMethod']);
  const request = asFields(asFields(fields['authenticationData'])['threeDSRequestData']);
  const returnUrl = textOf(fields, 'returnUrl');
  const isWallet = /^(?:applepay|googlepay)$/.test(textOf(method, 'type'));
  const number = isWallet ? (cardInToken(method) ?? '') : textOf(method, 'number');
  const error =
    missing(fields, ['merchantAccount', 'reference']) ??
    checkAmount(amount) ??
    (isPage(returnUrl) ? undefined : invalid('14_030', 'Return URL is missing.')) ??
    (isWallet ? checkToken(number) : checkCard(method, now)) ??
    checkBrowser(asFields(fields['browserInfo']));
  if (error) return { error };
  return {
    value: {
      reference: textOf(fields, 'reference'),
      amount: { currency: textOf(amount, 'currency'), value: Number(amount['value']) },
      returnUrl,
      notificationUrl: textOf(asFields(fields['threeDS2RequestData']), 'notificationURL') || returnUrl,
      number,
      brand: brandOf(number),
      isNative: request['nativeThreeDS'] === 'preferred',
      capturesAtOnce: fields['captureDelayHours'] === 0,
    },
  };
}

function missing(fields: Fields, names: readonly string[]): ServiceError | undefined {
  const name = names.find((wanted) => textOf(fields, wanted) === '' || textOf(fields, wanted).length > 80);
  return name === undefined ? undefined : invalid('702', `Required field '${name}' is not provided.`);
}

const CURRENCIES: ReadonlySet<string> = new Set(['AZN', 'BRL', 'EUR', 'INR', 'KZT', 'MXN', 'UAH', 'USD']);

export function checkAmount(amount: Fields): ServiceError | undefined {
  const value = amount['value'];
  if (!CURRENCIES.has(textOf(amount, 'currency'))) return invalid('138', 'Unsupported currency specified');
  return Number.isSafeInteger(value) && Number(value) > 0 ? undefined : invalid('137', 'Invalid amount specified');
}

function checkToken(number: string): ServiceError | undefined {
  return isCardNumber(number) ? undefined : invalid('174', 'Unable to decrypt data');
}

function checkCard(method: Fields, now: number): ServiceError | undefined {
  if (textOf(method, 'type') !== 'scheme') return invalid('14_006', "Required object 'paymentMethod' is not provided.");
  const number = textOf(method, 'number');
  if (!isCardNumber(number)) return invalid('101', 'Invalid card number');
  const length = brandOf(number) === 'amex' ? 4 : 3;
  if (!new RegExp(`^\\d{${length}}$`).test(textOf(method, 'cvc'))) return invalid('103', 'CVC is not the right length');
  const [month, year] = [textOf(method, 'expiryMonth'), textOf(method, 'expiryYear')];
  const isDate = /^(?:0?[1-9]|1[0-2])$/.test(month) && /^20\d\d$/.test(year);
  // The card is valid until the end of its month.
  const isPast = isDate && Date.UTC(Number(year), Number(month)) <= now;
  return isDate && !isPast ? undefined : invalid('129', 'Expiry Date Invalid');
}

const BROWSER_TEXTS = ['acceptHeader', 'language', 'userAgent'];
const BROWSER_NUMBERS = ['colorDepth', 'screenHeight', 'screenWidth', 'timeZoneOffset'];

function checkBrowser(browser: Fields): ServiceError | undefined {
  const lacking =
    BROWSER_TEXTS.find((name) => textOf(browser, name) === '') ??
    BROWSER_NUMBERS.find((name) => !Number.isInteger(browser[name])) ??
    (typeof browser['javaEnabled'] === 'boolean' ? undefined : 'javaEnabled');
  return lacking === undefined ? undefined : invalid('702', `Required field 'browserInfo.${lacking}' is not provided.`);
}

function isPage(text: string): boolean {
  return text.length <= 1024 && isHttpUrl(text);
}
