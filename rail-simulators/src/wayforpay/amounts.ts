/** WayForPay's JSON, in which amounts are numbers: read and written without floating point, and reckoned in kopecks. */

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined where it is no JSON object. Its numbers are the texts that they were written in, since those are signed. */
export function parseFields(body: Buffer | string): Fields | undefined {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value;
  try {
    const value: unknown = JSON.parse(body.toString(), keep);
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
export function toKopecks(text: string): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const kopecks = whole === undefined ? 0n : BigInt(whole + decimals.padEnd(2, '0'));
  return kopecks > 0n ? kopecks : undefined;
}

/** As WayForPay writes it: `100`, `100.5`, `1547.36`. */
export function toText(kopecks: bigint): string {
  const decimals = String(kopecks % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${kopecks / 100n}${decimals === '' ? '' : `.${decimals}`}`;
}
