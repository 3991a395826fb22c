/**
 * A strict application/x-www-form-urlencoded reader for signed requests: a repeated name, an unfinished percent sequence,
 * bytes that are no UTF-8 or a NUL are refused, where the platform's own reader would guess.
 */
import { MalformedBody, requireCleanText } from './json-body.ts';

/** Throws MalformedBody. */
export function parseForm(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new MalformedBody('a pair without a name or a value');
    const name = decode(pair.slice(0, equals));
    if (fields.has(name) || name === '__proto__') throw new MalformedBody('a name is repeated or forbidden');
    fields.set(name, decode(pair.slice(equals + 1)));
  }
  return fields;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return requireCleanText(text);
  try {
    return requireCleanText(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    throw new MalformedBody('a percent sequence is wrong');
  }
}
