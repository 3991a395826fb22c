/** JSON and its fields from a client that is not authenticated yet. */

export type Fields = Readonly<Record<string, unknown>>;

/** Returns an empty object if the value is not a JSON object. */
export function asFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an empty string if the field is not a string. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Returns the value of a JSON string, or undefined for invalid JSON. */
export function parseJson(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Returns a JSON object in which every number is its original text, or undefined if the body is not a JSON object. */
export function parseKeepingNumbers(body: Buffer | string): Fields | undefined {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? context?.source : value;
  try {
    const value: unknown = JSON.parse(body.toString(), keep);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a value that JSON.stringify writes as the number in `text`. */
export function jsonNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
