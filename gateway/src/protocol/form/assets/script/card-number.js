/** Recognises a card's number, date and brand in a payer's input. It must not access the page or a clock. */

export const DIGITS = /\D/g;

const ANY_LENGTH = [12, 13, 14, 15, 16, 17, 18, 19];
export const FOURS = [4, 4, 4, 4, 3];

/** `findNetwork` and `CARD_NETWORKS` come from the server's table (page-assets.ts). */
export const networkOf = (digits) => findNetwork(digits, CARD_NETWORKS);

function hasCheckDigit(digits) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export function isWholeNumber(text) {
  const digits = text.replace(DIGITS, '');
  return (networkOf(digits)?.lengths ?? ANY_LENGTH).includes(digits.length) && hasCheckDigit(digits);
}

export function grouped(digits, groups) {
  const parts = [];
  let rest = digits;
  for (const length of groups) {
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts.filter((part) => part).join(' ');
}

/** Reads two-digit years as 2000 to 2099. */
export function readExpiry(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)$/.exec(text.trim()) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : undefined;
}

/** `now` is a Date from the payer's clock. */
export function isPast({ month, year }, now) {
  // The first instant of the next month. A card is valid until then.
  return new Date(year, month, 1) <= now;
}
