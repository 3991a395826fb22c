/** Recognises a card's number, date and brand in what a payer types. It must not access the page or a clock. */

export const DIGITS = /\D/g;

/** Brands by number prefix, narrow prefixes first, with their valid lengths and digit groups. */
const BRANDS = [
  { brand: 'amex', name: 'American Express', begins: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvv: 4 },
  { brand: 'diners', name: 'Diners Club', begins: /^(?:30[0-5]|3[689])/, lengths: [14, 16, 19], groups: [4, 6, 4, 5] },
  { brand: 'jcb', name: 'JCB', begins: /^35/, lengths: [16, 17, 18, 19] },
  { brand: 'hipercard', name: 'Hipercard', begins: /^606282/, lengths: [16] },
  {
    brand: 'elo',
    name: 'Elo',
    begins: /^(?:4011(?:78|79)|431274|438935|451416|457393|504175|5067|5090|627780|636297|636368|65003|6504|6505)/,
    lengths: [16],
  },
  { brand: 'rupay', name: 'RuPay', begins: /^(?:508[5-9]|60698|607|6521|6522|81|82)/, lengths: [16] },
  { brand: 'discover', name: 'Discover', begins: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] },
  { brand: 'unionpay', name: 'UnionPay', begins: /^62/, lengths: [16, 17, 18, 19] },
  { brand: 'mastercard', name: 'Mastercard', begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { brand: 'maestro', name: 'Maestro', begins: /^(?:50|5[6-9]|6)/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { brand: 'visa', name: 'Visa', begins: /^4/, lengths: [13, 16, 18, 19] },
];
const ANY_LENGTH = [12, 13, 14, 15, 16, 17, 18, 19];
export const FOURS = [4, 4, 4, 4, 3];

export const brandOf = (digits) => BRANDS.find(({ begins }) => begins.test(digits));

function hasCheckDigit(digits) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export function isWholeNumber(text) {
  const digits = text.replace(DIGITS, '');
  return (brandOf(digits)?.lengths ?? ANY_LENGTH).includes(digits.length) && hasCheckDigit(digits);
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
