/**
 * Amounts in the providers' format (major units with decimals) and the simulators' (hundredths as integers, without floating
 * point).
 */

/** Returns undefined if the string is not an amount above zero with at most two decimals. */
export function toCents(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(whole + decimals.padEnd(2, '0'));
  return cents > 0n ? cents : undefined;
}

/** Returns an amount with two decimals, such as `30.75`. */
export function toText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Adds up amounts that were already checked. It ignores invalid amounts, and zeros after the second decimal. */
export function sumOf(amounts: readonly (string | undefined)[]): bigint {
  const centsOf = (amount = '') => toCents(amount.replace(/(\.\d\d)0+$/, '$1')) ?? 0n;
  return amounts.reduce((sum, amount) => sum + centsOf(amount), 0n);
}
