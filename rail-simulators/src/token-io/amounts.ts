/** Amounts as Token.io writes them, as texts, and as this simulator reckons: whole cents. */

/** Undefined: not an amount above zero with at most two decimals that count. */
export function toCents(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,2})?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(`${whole}${decimals.padEnd(2, '0')}`);
  return cents > 0n ? cents : undefined;
}

export function toText(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + (toCents(amount) ?? 0n), 0n);
}
