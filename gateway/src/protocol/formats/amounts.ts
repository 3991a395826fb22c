/** The shapes of an amount and of a currency's code, for wires that judge the one before they know the other. */

/** What `parseAmount` reads in any currency: digits, at most two of them after a point, above zero. */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,2})?$/.test(text) && /[1-9]/.test(text);
}

/** Whether it is a currency of ours is another question, told in other words. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}
