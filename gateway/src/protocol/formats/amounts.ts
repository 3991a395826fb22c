/** The formats of an amount and of a currency code, for wires that check the amount before they know the currency. */

/** Every text that `parseAmount` accepts in some currency: digits, at most two after a point, above zero. */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,2})?$/.test(text) && /[1-9]/.test(text);
}

/** Checks only the format. The caller must check separately whether the gateway has the currency. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}
