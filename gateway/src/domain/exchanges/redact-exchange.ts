/**
 * Overwrites card numbers, credentials and signatures in an exchange with a provider, byte for byte: in JSON, XML, forms and
 * queries, even if one is nested as a string in another. It may overwrite too much, but must never leave a secret.
 */
import type { Secret } from '../../foundation/secret.ts';
import { redactBytes } from '../requests/redact-request.ts';

/** A field is secret if its name contains one of these. */
const NAME = `(?:${[
  'passw',
  'passphrase',
  'pwd',
  'senha',
  'contrase',
  'secret',
  'token',
  'cvv',
  'cvc',
  'cvn',
  'cv2',
  'cryptogram',
  'security[_-]?code',
  'verification[_-]?(?:code|value)',
  'credential',
  'assertion',
  '(?:api|private|access)[_-]?key',
  '\\bauthorization\\b',
  'signature',
  '\\bfirma\\b',
  '\\b(?:pin|otp)\\b',
  'session[_-]?(?:id|key)',
].join('|')})[\\w-]{0,24}`;
const SEPARATOR = `(?:\\\\*["'])?\\s*[:=]\\s*(?:[\\[{]\\s*(?:"\\w{1,30}"\\s*:\\s*)?)?`;
const SPACE = '(?:\\s|%20|\\+)';

/** Each pattern has one group for the part to keep and one for the part to overwrite. */
const HIDDEN: readonly RegExp[] = [
  `(\\b(?:Basic|Bearer)${SPACE}+)([\\w.~+/=%-]{6,})`,
  `(${NAME}${SEPARATOR}\\\\*")((?:[^"\\\\]|\\\\.)+)`,
  `(${NAME}${SEPARATOR}\\\\*')((?:[^'\\\\]|\\\\.)+)`,
  `(${NAME}=)([^&\\s"'<>]+)`,
  `(${NAME}${SEPARATOR})([^\\s"'&,;<>{}[\\]\\\\]+)`,
  `(${NAME}(?:\\s[^<>]{0,200})?>\\s*)([^<\\s][^<]*)`,
  `(${NAME}(?:\\s[^<>]{0,200})?>\\s*<!\\[CDATA\\[)((?:(?!\\]\\]>).)+)`,
  `(${NAME}(?:\\s(?:(?!&gt;)[^<>]){0,200})?&gt;)((?:(?!&lt;/).)+)`,
  `(BEGIN${SPACE}(?:[A-Z]{1,12}${SPACE}){0,3}PRIVATE${SPACE}KEY)((?:(?!-END).)+)`,
  '(://[^\\s/:@"]{0,64}:)([^\\s/@"]+)(?=@)',
  // The last part of a JWT; its other parts are read as base64. Only positions after a dot look back, so the time is linear.
  '((?<=\\beyJ[\\w-]+\\.[\\w-]+\\.))([\\w-]+)',
].map((pattern) => new RegExp(pattern, 'gis'));

/**
 * Base64, even of a JWT, in a form, in JSON or across lines. It may encode a value that is redacted elsewhere in plain text.
 */
const BASE64 = /(?:[A-Za-z0-9+/_-]|%2[BF]|\\\/|\\[rn]|\r?\n){16,}(?:=|%3D){0,2}/gi;
/** A value in a form, which may contain an entire encoded string. */
const VALUE = /[^&=\s"<>]+/g;
const ESCAPE = /%[\da-f]{2}/i;
/** Base64 may begin after other letters, so at any offset within its groups of four. */
const PLACES = [0, 1, 2, 3];
const DEEPEST = 2;

/** Returns as many bytes as it gets. Unreadable content, such as a ciphertext, stays. */
export function redactExchange(bytes: Buffer, secrets: readonly Secret[], depth = 0): Buffer {
  const plain = redactBytes(bytes, { isProven: true, keys: secrets }).toString('latin1');
  const named = HIDDEN.reduce(
    (text, each) => text.replace(each, (_, before: string, value: string) => before + overwrite(value)),
    plain,
  );
  if (depth === DEEPEST) return Buffer.from(named, 'latin1');
  const hides = (text: string) => {
    const open = Buffer.from(text, 'latin1');
    return !redactExchange(open, secrets, depth + 1).equals(open);
  };
  const open = named
    .replace(VALUE, (text) => (ESCAPE.test(text) && hides(unescaped(text)) ? overwrite(text) : text))
    .replace(BASE64, (text) => (PLACES.some((place) => hides(decoded(text, place))) ? overwrite(text) : text));
  return Buffer.from(open, 'latin1');
}

function unescaped(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function decoded(text: string, place: number): string {
  const letters = unescaped(text).replace(/\\[rn]|[\r\n\\]/g, '');
  return Buffer.from(letters.slice(place), 'base64').toString('latin1');
}

function overwrite(text: string): string {
  return '*'.repeat(text.length);
}
