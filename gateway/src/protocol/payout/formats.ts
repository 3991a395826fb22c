/**
 * Every format of the payout family as a named predicate over the text received (decisions, Requests: formats). A text
 * is accepted as it is or refused; nothing here alters one, and nothing asks a network.
 */
import cardValidator from 'card-validator';
import countryCodes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { isValidIBAN } from 'ibantools';
import indianBanks from 'ifsc/src/banknames.json' with { type: 'json' };
import ipaddr from 'ipaddr.js';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Instant } from '../../foundation/clock.ts';
import { isId } from '../../foundation/identifiers.ts';

export interface FormatContext {
  readonly now: Instant;
  /** The merchant's setting `check_inn`. */
  readonly checkInn: boolean;
}

export type Format = (text: string, context: FormatContext) => boolean;

function pattern(shape: RegExp): Format {
  return (text) => shape.test(text);
}

/** The check digit of card numbers; false for text that is not all digits. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - 48;
    if (digit < 0 || digit > 9) return false;
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

const CARD_SHAPE = /^\d{12,19}$/;

function isCard(text: string): boolean {
  return CARD_SHAPE.test(text) && passesLuhn(text);
}

function cardOfNetwork(network: string): Format {
  return (text) => isCard(text) && cardValidator.number(text).card?.type === network;
}

/** `mm/yy`, good until the last moment of its month, UTC. */
function isFutureExpiry(text: string, { now }: FormatContext): boolean {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return false;
  // Months count from zero, so this is the first moment of the month after.
  return now < Date.UTC(2000 + Number(match[2]), Number(match[1]), 1);
}

/** dd-mm-yyyy, a day that was: neither before 1900 nor still to come. */
function isBirthday(text: string, { now }: FormatContext): boolean {
  const match = /^(\d{2})-(\d{2})-((?:19|20)\d{2})$/.exec(text);
  if (!match) return false;
  const day = calendarDay(Number(match[3]), Number(match[2]), Number(match[1]));
  return day !== undefined && day <= now;
}

/** The first moment of a day, UTC, or undefined when the calendar has no such day. Months from 1. */
export function calendarDay(year: number, month: number, day: number): Instant | undefined {
  const instant = Date.UTC(year, month - 1, day);
  const date = new Date(instant);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? instant : undefined;
}

const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

function isEmail(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && EMAIL.test(text);
}

/** By length and country code. Number ranges change too often to refuse a number for its range. */
function isPhone(text: string): boolean {
  return /^\+\d{7,15}$/.test(text) && parsePhoneNumberFromString(text)?.isPossible() === true;
}

function isPhoneWithOrWithoutPlus(text: string): boolean {
  return isPhone(text.startsWith('+') ? text : `+${text}`);
}

/** Money goes to this number, so here the range has to be one of mobile numbers. */
function isKazakhMobile(text: string): boolean {
  if (!/^7\d{10}$/.test(text)) return false;
  const phone = parsePhoneNumberFromString(`+${text}`);
  return phone?.country === 'KZ' && phone.getType() === 'MOBILE';
}

/**
 * The bank's four letters are looked up; the branch is not, since new branches open every week and a list of them is out
 * of date on the day it is installed.
 */
function isIfsc(text: string): boolean {
  return /^[A-Z]{4}0[A-Z0-9]{6}$/.test(text) && Object.hasOwn(indianBanks, text.slice(0, 4));
}

/** Written in full: four decimal parts, or IPv6 without a zone. The shorthands of old C libraries are refused. */
function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (!text.includes('%') && ipaddr.IPv6.isValid(text));
}

const COUNTRIES: ReadonlySet<string> = new Set(countryCodes.map(([alpha2]) => alpha2 ?? ''));

function isCountry(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text) && COUNTRIES.has(text.toUpperCase());
}

const INN_WEIGHTS = [-1, 5, 7, 9, 4, 6, 10, 5, 7] as const;

function hasInnCheckDigit(digits: string): boolean {
  const sum = INN_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  // The remainder keeps the sign of the sum, which can be as low as -9.
  return (((sum % 11) + 11) % 11) % 10 === Number(digits[9]);
}

/** Ten digits, or who has none: a passport as two letters and six digits, or the nine digits of an identity card. */
function isInn(text: string, { checkInn }: FormatContext): boolean {
  if (/^\d{10}$/.test(text)) return !checkInn || hasInnCheckDigit(text);
  return /^(?:[A-ZА-ЯІЇЄҐ]{2}\d{6}|\d{9})$/u.test(text);
}

const ACCOUNT_NUMBER = /^[A-Za-z0-9]{5,34}$/;

const TABLE = {
  id: isId,
  amount: (text) => /^\d{1,12}(\.\d{1,2})?$/.test(text) && /[1-9]/.test(text),
  currency: pattern(/^[A-Z]{3}$/),
  card: isCard,
  visaCard: cardOfNetwork('visa'),
  mastercard: cardOfNetwork('mastercard'),
  sandboxCard: pattern(CARD_SHAPE),
  expiry: isFutureExpiry,
  kazakhMobile: isKazakhMobile,
  bankAccount: pattern(ACCOUNT_NUMBER),
  ukrainianIban: (text) => text.startsWith('UA') && isValidIBAN(text),
  accountOrEmail: (text) => ACCOUNT_NUMBER.test(text) || isEmail(text),
  personName: pattern(/^\p{L}[\p{L}\p{M}]*(?:[ .'’-]+\p{L}[\p{L}\p{M}]*)*\.?$/u),
  latinName: pattern(
    /^\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:[ .'’-]+\p{Script=Latin}[\p{Script=Latin}\p{M}]*)*\.?$/u,
  ),
  address: pattern(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’/#№()&-]*$/u),
  postCode: pattern(/^[A-Za-z0-9](?:[A-Za-z0-9 -]*[A-Za-z0-9])?$/),
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
