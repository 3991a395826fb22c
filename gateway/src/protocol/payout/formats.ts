/**
 * Every format of the payout family, as a named predicate over the received text (decision 13). A predicate accepts or
 * rejects a text; it must not change the text or use the network.
 */
import { isValidIBAN } from 'ibantools';
import indianBanks from 'ifsc/src/banknames.json' with { type: 'json' };
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { cardNetwork, isCardNumber, isCardShaped } from '../../domain/vault/card-number.ts';
import type { Instant } from '../../foundation/clock.ts';
import { isId } from '../../foundation/identifiers.ts';
import {
  isAddressLine,
  isCountry,
  isEmail,
  isIpAddress,
  isPhone,
  isPhoneWithOrWithoutPlus,
  isPostCode,
} from '../formats/contact-details.ts';
import { isAmount, isCurrencyCode, isFutureExpiry } from '../formats/field-formats.ts';

export interface FormatContext {
  readonly now: Instant;
  /** The merchant's setting `check_inn`. */
  readonly checkInn: boolean;
}

export type Format = (text: string, context: FormatContext) => boolean;

function pattern(shape: RegExp): Format {
  return (text) => shape.test(text);
}

function cardOfNetwork(network: string): Format {
  return (text) => isCardNumber(text) && cardNetwork(text) === network;
}

/** Accepts dd-mm-yyyy: an existing day, not before 1900 and not in the future. */
function isBirthday(text: string, { now }: FormatContext): boolean {
  const match = /^(\d{2})-(\d{2})-((?:19|20)\d{2})$/.exec(text);
  if (!match) return false;
  const day = calendarDay(Number(match[3]), Number(match[2]), Number(match[1]));
  return day !== undefined && day <= now;
}

/** Returns the first moment of a day, UTC, or undefined if the calendar has no such day. Months start at 1. */
export function calendarDay(year: number, month: number, day: number): Instant | undefined {
  const instant = Date.UTC(year, month - 1, day);
  const date = new Date(instant);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? instant : undefined;
}

/** Money goes to this number, so it must be in a mobile range. */
function isKazakhMobile(text: string): boolean {
  if (!/^7\d{10}$/.test(text)) return false;
  const phone = parsePhoneNumberFromString(`+${text}`);
  return phone?.country === 'KZ' && phone.getType() === 'MOBILE';
}

/**
 * Checks the bank's four letters against a list. It does not check the branch: banks open branches every week, and
 * any list of them would be outdated.
 */
function isIfsc(text: string): boolean {
  return /^[A-Z]{4}0[A-Z0-9]{6}$/.test(text) && Object.hasOwn(indianBanks, text.slice(0, 4));
}

const INN_WEIGHTS = [-1, 5, 7, 9, 4, 6, 10, 5, 7] as const;

function hasInnCheckDigit(digits: string): boolean {
  const sum = INN_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  // The remainder keeps the sign of the sum, which can be as low as -9.
  return (((sum % 11) + 11) % 11) % 10 === Number(digits[9]);
}

/**
 * Accepts an INN of ten digits. A person without an INN gives the number of a passport (two letters and six digits) or an
 * identity card (nine digits).
 */
function isInn(text: string, { checkInn }: FormatContext): boolean {
  if (/^\d{10}$/.test(text)) return !checkInn || hasInnCheckDigit(text);
  return /^(?:[A-ZА-ЯІЇЄҐ]{2}\d{6}|\d{9})$/u.test(text);
}

const ACCOUNT_NUMBER = /^[A-Za-z0-9]{5,34}$/;

/** Latin letters of every living language, with combining marks. As ranges, which each program's regular expressions know. */
const LATIN = 'A-Za-zÀ-ÖØ-öø-ʯḀ-ỿ';
const LATIN_WORD = `[${LATIN}][${LATIN}\\u0300-\\u036f]*`;
export const LATIN_NAME = `^${LATIN_WORD}([ .'’\\-]+${LATIN_WORD})*\\.?$`;

const TABLE = {
  id: isId,
  amount: isAmount,
  currency: isCurrencyCode,
  card: isCardNumber,
  visaCard: cardOfNetwork('visa'),
  mastercard: cardOfNetwork('mastercard'),
  sandboxCard: isCardShaped,
  expiry: (text, { now }) => isFutureExpiry(text, now),
  kazakhMobile: isKazakhMobile,
  bankAccount: pattern(ACCOUNT_NUMBER),
  ukrainianIban: (text) => text.startsWith('UA') && isValidIBAN(text),
  accountOrEmail: (text) => ACCOUNT_NUMBER.test(text) || isEmail(text),
  personName: pattern(/^\p{L}[\p{L}\p{M}]*(?:[ .'’-]+\p{L}[\p{L}\p{M}]*)*\.?$/u),
  latinName: pattern(new RegExp(LATIN_NAME, 'u')),
  address: isAddressLine,
  postCode: isPostCode,
  birthday: isBirthday,
  indianPhone: pattern(/^\+91\d{10}$/),
  phone: isPhone,
  phonePlusOptional: isPhoneWithOrWithoutPlus,
  email: isEmail,
  ifsc: isIfsc,
  ip: isIpAddress,
  country: isCountry,
  inn: isInn,
} as const satisfies Record<string, Format>;

/** The names that the method table uses. */
export type FormatName = keyof typeof TABLE;

export const FORMATS: Readonly<Record<FormatName, Format>> = TABLE;
