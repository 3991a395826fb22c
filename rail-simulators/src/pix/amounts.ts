/** Amounts as the API Pix writes them: one to ten digits, a point, two digits. */

export function toCents(text: string): bigint | undefined {
  return /^\d{1,10}\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : undefined;
}

export function toText(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Of amounts that were checked before. */
export function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + (toCents(amount) ?? 0n), 0n);
}
