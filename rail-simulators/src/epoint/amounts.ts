/** Epoint's JSON and its amounts, which come as texts and go as numbers: without floating point, reckoned in qəpik. */

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined where it is no JSON object. Its numbers are the texts that they were written in. */
export function parseFields(text: string): Fields | undefined {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value;
  try {
    const value: unknown = JSON.parse(text, keep);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** A value that JSON.stringify writes as the number that `text` spells. */
export function jsonNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

/** Undefined: no amount above zero with at most two decimals. */
export function toCents(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(whole + decimals.padEnd(2, '0'));
  return cents > 0n ? cents : undefined;
}

/** `30.75`. */
export function toText(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
