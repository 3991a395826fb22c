/**
 * A strict application/x-www-form-urlencoded reader for signed requests: a repeated name, an unfinished percent sequence,
 * bytes that are no UTF-8 or a NUL are refused, where the platform's own reader would guess.
 * The query of an address is read with the same rules. What is not signed has a reader without any.
 */
import { MalformedBody, requireCleanText } from './json-body.ts';

/** A name was given twice; `repeated` is what was received, so it is shown only where it is a name that is known. */
export class RepeatedName extends MalformedBody {
  readonly repeated: string;

  constructor(repeated: string) {
    super('a name is repeated');
    this.repeated = repeated;
  }
}

/** Throws MalformedBody, and of that RepeatedName. */
export function parseForm(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new MalformedBody('a pair without a name or a value');
    const name = decode(pair.slice(0, equals));
    if (fields.has(name)) throw new RepeatedName(name);
    if (name === '__proto__') throw new MalformedBody('a name is forbidden');
    fields.set(name, decode(pair.slice(equals + 1)));
  }
  return fields;
}

/**
 * What stands behind the `?` of a request's address; empty without one. Throws MalformedBody, also for what no address may
 * hold: bytes that were not percent-encoded reach us in a guessed encoding.
 */
export function parseQuery(address: string): ReadonlyMap<string, string> {
  const [, query = ''] = /\?(.*)$/s.exec(address) ?? [];
  if (!/^[\x21-\x7e]*$/.test(query)) throw new MalformedBody('an address with other than printable ASCII characters');
  return query === '' ? new Map() : parseForm(query);
}

/** Several times what any page of ours or of a bank sends. */
const MOST_LOOSE_PAIRS = 200;

/**
 * By the platform's own rules, for what is not signed and may come from a bank. Pairs past the limit are left out: decoding
 * one that is no UTF-8 takes the platform 25 µs, in which nobody else is served.
 */
export function readLoosely(text: string): URLSearchParams {
  return new URLSearchParams(text.split('&', MOST_LOOSE_PAIRS).join('&'));
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return requireCleanText(text);
  try {
    return requireCleanText(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    throw new MalformedBody('a percent sequence is wrong');
  }
}
