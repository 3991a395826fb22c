/**
 * Reads Freedom Pay's XML responses: one level of fields in a `response`. Anything more (nested fields, a repeated name,
 * attributes, CDATA) is in none of the responses to our requests, and makes the document unreadable.
 */
import type { PgFields } from './signature.ts';

const DOCUMENT = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*<response>(.*)<\/response>\s*$/s;
const FIELD = /\s*<([A-Za-z_][\w.-]*)(?:\s*\/>|>([^<]*)<\/\1>)\s*/y;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));|&/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns undefined if the document has a different structure. */
export function readFields(body: Buffer): PgFields | undefined {
  const [, content] = DOCUMENT.exec(body.toString('utf8')) ?? [];
  if (content === undefined) return undefined;
  const fields = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    FIELD.lastIndex = at;
    const [whole, name, raw = ''] = FIELD.exec(content) ?? [];
    const value = decoded(raw);
    if (whole === undefined || name === undefined || fields.has(name) || value === undefined) return undefined;
    fields.set(name, value);
    at += whole.length;
  }
  return fields;
}

/** Returns undefined if the string has an entity that XML does not define. */
function decoded(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replace(ENTITY, (_, decimal?: string, hexadecimal?: string, name?: string) => {
    const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16);
    const sign = name === undefined ? signOf(point) : NAMED[name];
    if (sign === undefined) isKnown = false;
    return sign ?? '';
  });
  return isKnown ? plain : undefined;
}

function signOf(point: number): string | undefined {
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
