/** Amounts as STP's JSON has them: numbers with two decimals, read and written without floating point. */

/** A parsed JSON text whose numbers are the texts that they were written in; undefined where it is no JSON object. */
export function parseKeepingNumbers(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value;
  try {
    const value: unknown = JSON.parse(body.toString(), keep);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Cents of an amount above zero; undefined for anything else. */
export function toCents(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(whole + decimals.padEnd(2, '0'));
  return cents > 0n ? cents : undefined;
}

/** `1.20`. */
export function toText(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A value that JSON.stringify writes as the number that `text` spells. */
export function jsonNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
