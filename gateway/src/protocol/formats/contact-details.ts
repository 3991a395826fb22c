/**
 * Formats of contact details, for every API that reads them (decision 13). A format accepts or rejects a text; it must not
 * change the text or use the network.
 */
import countryCodes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import ipaddr from 'ipaddr.js';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

export function isEmail(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && EMAIL.test(text);
}

/** Checks length and country code. Number ranges change too often to reject a number for its range. */
export function isPhone(text: string): boolean {
  return /^\+\d{7,15}$/.test(text) && parsePhoneNumberFromString(text)?.isPossible() === true;
}

export function isPhoneWithOrWithoutPlus(text: string): boolean {
  return isPhone(text.startsWith('+') ? text : `+${text}`);
}

/** Accepts a line of an address: a street with its number, a city, or a region. */
export function isAddressLine(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’/#№()&-]*$/u.test(text);
}

export function isPostCode(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9 -]*[A-Za-z0-9])?$/.test(text);
}

const LONGEST_IP_ADDRESS = 45;

/** Accepts a full address: four decimal parts, or IPv6 without a zone. Rejects the shorthands of old C libraries. */
export function isIpAddress(text: string): boolean {
  return (
    text.length <= LONGEST_IP_ADDRESS &&
    (ipaddr.IPv4.isValidFourPartDecimal(text) || (!text.includes('%') && ipaddr.IPv6.isValid(text)))
  );
}

const COUNTRIES: ReadonlySet<string> = new Set(countryCodes.map(([alpha2]) => alpha2 ?? ''));

/** Returns true for an ISO 3166-1 alpha-2 code in either case. */
export function isCountry(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text) && COUNTRIES.has(text.toUpperCase());
}
