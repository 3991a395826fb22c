/** Amounts as Trustly writes them, with exactly two decimals, and as this simulator reckons: whole cents. */

/** Undefined: not an amount above zero with exactly two decimals. */
export function toCents(text: string): bigint | undefined {
  const [, whole, decimals] = /^(\d{1,12})\.(\d{2})$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(`${whole}${decimals}`);
  return cents > 0n ? cents : undefined;
}

export function toText(cents: bigint): string {
  const sign = cents < 0n ? '-' : '';
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
