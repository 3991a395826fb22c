/** Card numbers by their form alone: what is one, whose it is, and where one stands in a text that is no card field. */
import cardValidator from 'card-validator';

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

/** Digits of the right count, whatever their check digit says. */
export function isCardShaped(text: string): boolean {
  return /^\d{12,19}$/.test(text);
}

export function isCardNumber(text: string): boolean {
  return isCardShaped(text) && passesLuhn(text);
}

/** `visa`, `mastercard` and so on by the first digits; undefined for none or several. */
export function cardNetwork(cardNumber: string): string | undefined {
  return cardValidator.number(cardNumber).card?.type;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const HEX_WITH_LETTERS = /^(?=[0-9]*[a-f])[0-9a-f]+$/i;
const WORD = /[\p{L}\p{N}]+/gu;
/** Most texts have fewer, and are searched no further. */
const ENOUGH_DIGITS = /(?:\p{Nd}\P{Nd}*){13}/u;
/** Groups of digits, and what people put between them. A letter ends a run. */
const DIGIT_GROUPS = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;
/** Shorter card numbers can't be told from phone numbers. */
const SHORTEST_FOUND = 13;
const LONGEST_CARD = 19;

/** A number that some network issues: its first digits, its length and its check digit fit. */
function isIssuable(digits: string): boolean {
  const lengths = cardValidator.number(digits).card?.lengths;
  return lengths?.includes(digits.length) === true && passesLuhn(digits);
}

/**
 * Whether a text that is no card field holds a card number, whole or in groups, such as `Card 4111 1111 1111 1111`. UUIDs and
 * hexadecimal digests do not count: now and then their digits would look like one.
 */
export function holdsCardNumber(text: string): boolean {
  if (!ENOUGH_DIGITS.test(text)) return false;
  const searched = text
    .normalize('NFKC')
    .replace(UUID, ' ')
    .replace(WORD, (word) => (HEX_WITH_LETTERS.test(word) ? ' ' : word));
  return [...searched.matchAll(DIGIT_GROUPS)].some(([run]) => groupsHoldCard(run.split(/\D+/)));
}

/** The text with the digits of card numbers starred out, for what strangers write and nobody can refuse. */
export function withoutCardNumbers(text: string): string {
  return holdsCardNumber(text) ? text.replace(/\p{Nd}/gu, '*') : text;
}

/** An identifier that is a card number as a whole. Merchants number freely, so a part of one proves nothing. */
export function isCardNumberAsId(id: string): boolean {
  const digits = id.replace(/[._-]/g, '');
  return /^\d{13,19}$/.test(digits) && isIssuable(digits);
}

/** Some of the groups, side by side, make one. */
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
