/** Recognises card numbers by form: validity, network, and occurrence inside other strings. */
import cardValidator from 'card-validator';
import { Secret } from '../../foundation/secret.ts';
import { maskCard } from './vault.ts';

/** Verifies the check digit of a card number. False if the string is not all digits. */
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

/** True for the right number of digits, even with a wrong check digit. */
export function isCardShaped(text: string): boolean {
  return /^\d{12,19}$/.test(text);
}

export function isCardNumber(text: string): boolean {
  return isCardShaped(text) && passesLuhn(text);
}

/** Returns `visa`, `mastercard` and so on, by the first digits, or undefined if none or several match. */
export function cardNetwork(cardNumber: string): string | undefined {
  return cardValidator.number(cardNumber).card?.type;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const HEX_WITH_LETTERS = /^(?=[0-9]*[a-f])[0-9a-f]+$/i;
const WORD = /[\p{L}\p{N}]+/gu;
/** Most strings have fewer digits, so the search ends here. */
const ENOUGH_DIGITS = /(?:\p{Nd}\P{Nd}*){13}/u;
/** Matches groups of digits with the usual separators. A letter ends the match. */
const DIGIT_GROUPS = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;
/** A shorter card number looks like a phone number. */
const SHORTEST_FOUND = 13;
const LONGEST_CARD = 19;

/** True for a number that a network may issue: prefix, length and check digit match. */
function isIssuable(digits: string): boolean {
  const lengths = cardValidator.number(digits).card?.lengths;
  return lengths?.includes(digits.length) === true && passesLuhn(digits);
}

/**
 * True if a text outside a card field contains a card number, such as `Card 4111 1111 1111 1111`, with or without groups.
 * Ignores UUIDs and hexadecimal digests, whose digits sometimes look like one.
 */
export function holdsCardNumber(text: string): boolean {
  if (!ENOUGH_DIGITS.test(text)) return false;
  const searched = text
    .normalize('NFKC')
    .replace(UUID, ' ')
    .replace(WORD, (word) => (HEX_WITH_LETTERS.test(word) ? ' ' : word));
  return [...searched.matchAll(DIGIT_GROUPS)].some(([run]) => groupsHoldCard(run.split(/\D+/)));
}

/** Replaces the digits of a string that contains a card number, for texts from third parties that the gateway cannot reject. */
export function withoutCardNumbers(text: string): string {
  return holdsCardNumber(text) ? text.replace(/\p{Nd}/gu, '*') : text;
}

/**
 * Masks the card number in each part of an identifier, such as a transfer's key. Keeps the first six and last four digits of a
 * number without separators.
 */
export function maskedIdentifier(id: string): string {
  const masked = (part: string) => part.replace(/\d{13,19}/g, (digits) => maskCard(new Secret(digits)));
  const parts = id.split('/').map((part) => (holdsCardNumber(part) ? withoutCardNumbers(masked(part)) : part));
  return parts.join('/');
}

/** True for an identifier that consists of a card number. Merchants choose their numbers freely, so a part proves nothing. */
export function isCardNumberAsId(id: string): boolean {
  const digits = id.replace(/[._-]/g, '');
  return /^\d{13,19}$/.test(digits) && isIssuable(digits);
}

/** True if adjacent groups together form a card number. */
function groupsHoldCard(groups: readonly string[]): boolean {
  return groups.some((_, from) => {
    let digits = '';
    for (const group of groups.slice(from)) {
      digits += group;
      if (digits.length > LONGEST_CARD) return false;
      if (digits.length >= SHORTEST_FOUND && isIssuable(digits)) return true;
    }
    return false;
  });
}
