/** The formats of single fields that several wires share. Pure. */
import { isCardNumberAsId } from '../../domain/vault/card-number.ts';
import type { Instant } from '../../foundation/clock.ts';
import { isIdOfOne } from '../../foundation/identifiers.ts';

/**
 * Returns true for a text that `parseAmount` accepts in some currency: digits, at most two after a point, above zero. It is
 * for protocols that check the amount before they know the currency.
 */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,2})?$/.test(text) && /[1-9]/.test(text);
}

/** Checks only the format. The caller must check separately whether the gateway has the currency. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** Rejects a card number, because the gateway stores, shows and reports ids in clear text. */
export function isMerchantsId(text: string): boolean {
  return isIdOfOne(text) && !isCardNumberAsId(text);
}

/** Returns true for an expiry `mm/yy` that has not passed. It is valid until the last moment of its month, UTC. */
export function isFutureExpiry(text: string, now: Instant): boolean {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return false;
  // Months start at zero, so this is the first moment of the next month.
  return now < Date.UTC(2000 + Number(match[2]), Number(match[1]), 1);
}

/** The two invisible characters join and separate letters in Indic and Persian words, and build emoji. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200c\u200d]+$/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function isPrintableText(text: string): boolean {
  return PRINTABLE.test(text) && VISIBLE.test(text);
}

/** Accepts an absolute http or https URL without credentials, spaces, or the control characters that URL parsers drop. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}

/** A merchant may send a card number or a key instead of a name. Texts that could be one do not match. */
const FIELD_NAME = /^(?!.*\d{5})[A-Za-z_][\w-]{0,30}$/;

/** Returns the name, or `body` if the string is unsafe to repeat. */
export function nameableField(name: string): string {
  return FIELD_NAME.test(name) ? name : 'body';
}
