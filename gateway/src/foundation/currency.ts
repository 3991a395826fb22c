/** The currencies in the API, with their minor units. `TST` is the sandbox's currency. */
const MINOR_DIGITS = {
  AZN: 2,
  BRL: 2,
  CAD: 2,
  EUR: 2,
  INR: 2,
  KZT: 2,
  MXN: 2,
  TST: 2,
  UAH: 2,
  USD: 2,
} as const;

export type Currency = keyof typeof MINOR_DIGITS;

export const CURRENCIES = Object.keys(MINOR_DIGITS) as readonly Currency[];

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(MINOR_DIGITS, text);
}

/** Returns the number of decimal digits of one minor unit. */
export function minorDigits(currency: Currency): number {
  return MINOR_DIGITS[currency];
}
