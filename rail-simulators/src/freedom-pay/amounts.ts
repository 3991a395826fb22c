/** Amounts as Freedom Pay writes them, in tenge, and as this simulator reckons: whole tiyn. */

/** Undefined: not an amount of at least 0.01 with at most two decimals. */
export function toTiyn(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const tiyn = whole === undefined ? 0n : BigInt(whole + decimals.padEnd(2, '0'));
  return tiyn > 0n ? tiyn : undefined;
}

export function toText(tiyn: bigint): string {
  const digits = String(tiyn < 0n ? -tiyn : tiyn).padStart(3, '0');
  return `${tiyn < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + (toTiyn(amount) ?? 0n), 0n);
}
