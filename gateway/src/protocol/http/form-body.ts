/**
 * A strict application/x-www-form-urlencoded parser for signed requests and signed queries. It rejects repeated names,
 * incomplete percent sequences, invalid UTF-8 and NUL, where the platform's parser guesses. Unsigned text has a separate
 * parser that accepts everything.
 */
import { MalformedBody, requireCleanText } from './json-body.ts';

/** A name occurs twice. `repeated` contains the client's text, so show it only if it is a known name. */
export class RepeatedName extends MalformedBody {
  readonly repeated: string;

  constructor(repeated: string) {
    super('a name is repeated');
    this.repeated = repeated;
  }
}

/** Throws MalformedBody, or its subclass RepeatedName. */
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
 * Parses the text after the `?` of a request target; without one, the result is empty. Throws MalformedBody, even for
 * characters that a URL must not hold. The server decodes raw bytes in a guessed encoding.
 */
export function parseQuery(address: string): ReadonlyMap<string, string> {
  const [, query = ''] = /\?(.*)$/s.exec(address) ?? [];
  if (!/^[\x21-\x7e]*$/.test(query)) throw new MalformedBody('the URL contains characters other than printable ASCII');
  return query === '' ? new Map() : parseForm(query);
}

/** Several times the number of fields that any of our pages or any bank sends. */
const MOST_LOOSE_PAIRS = 200;

/**
 * Parses unsigned text, such as a bank's, by the platform's rules. It drops pairs beyond the limit: the platform needs 25 µs
 * for each pair with invalid UTF-8, which blocks all other requests.
 */
export function readLoosely(text: string): URLSearchParams {
  return new URLSearchParams(text.split('&', MOST_LOOSE_PAIRS).join('&'));
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return requireCleanText(text);
  try {
    return requireCleanText(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    throw new MalformedBody('a percent sequence is invalid');
  }
}

/** Returns the raw query of a request's URL. */
export function queryOf({ url }: { readonly url: string }): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
