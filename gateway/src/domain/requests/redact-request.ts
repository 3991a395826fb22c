/**
 * Overwrites card numbers and secrets in the bytes of a request, byte for byte, so that every position stays the same. It
 * assumes no format, because a malformed body may also contain secrets. It may overwrite too much, but must never leave a card
 * number.
 */
import type { Secret } from '../../foundation/secret.ts';
import { holdsCardNumber } from '../vault/card-number.ts';

/** Fields whose value is always a secret. */
const SECRETS = valuesOf([
  'exp_date',
  'cvv',
  'cvc',
  'cvv2',
  'cvc2',
  'pin',
  'key',
  'api_key',
  'merchant_key',
  'form_key',
  'secret',
  'secret_key',
  'password',
  'token',
]);
/** Fields that often contain a card number, even a mistyped one with a wrong check digit. */
const CARDS = valuesOf(['account', 'customs_card', 'card', 'card_number', 'pan']);
const SIGNATURES = valuesOf(['sign']);

/** A digit as it is, as a percent sequence, as an escape of JSON, or full-width in UTF-8. */
const DIGIT = String.raw`(?:\d|%3\d|\\u003\d|\xef\xbc[\x90-\x99])`;
const BETWEEN = String.raw`(?:[ \t.,+_/-]|%2[0bcdef]|%09|\\u00(?:2[0bcdef]|a0)|\xc2\xa0|\xe2\x80[\x80-\xaf])`;
const RUN = new RegExp(`${DIGIT}(?:${BETWEEN}{0,3}${DIGIT}){11,}`, 'gi');
const EACH_PART = new RegExp(`(${BETWEEN})|${DIGIT}`, 'gi');
const SHORTEST_MISTYPED = 12;
const SHORTEST_CARD = 13;
const LONGEST_CARD = 19;
/** A longer run of digits is not a card number, and searching it costs time. */
const LONGEST_SEARCHED = 60;
const SHOWN_FIRST = 6;
const SHOWN_LAST = 4;
const SHOWN_OF_SIGN = 4;

export interface Redaction {
  /** The merchant's keys, which merchants sometimes paste into the wrong place. Overwritten wherever they occur. */
  readonly keys: readonly Secret[];
  /** True if the signature is valid. With it, the request could be repeated, so only its first characters stay. */
  readonly isProven: boolean;
}

/** Returns as many bytes as it gets. */
export function redactBytes(bytes: Buffer, { isProven, keys }: Redaction): Buffer {
  // One character per byte keeps positions and invalid UTF-8 unchanged.
  let text = overwriteKeys(bytes.toString('latin1'), keys);
  text = replaceValues(text, SECRETS, (value) => overwriteText(value, 0));
  text = replaceValues(text, CARDS, maskMistyped);
  if (isProven) text = replaceValues(text, SIGNATURES, (value) => overwriteText(value, SHOWN_OF_SIGN));
  return Buffer.from(overwriteCards(text), 'latin1');
}

function overwriteCards(text: string): string {
  return text.replace(RUN, (run) => (holdsCard(digitsOf(run)) ? maskDigits(run) : run));
}

/** Returns the value of a header, which a client may fill with anything. A proven signature keeps only its first characters. */
export function redactHeader(name: string, value: string, { isProven, keys }: Redaction): string {
  const text = overwriteCards(overwriteKeys(value, keys));
  return isProven && name === 'x-sign' ? overwriteText(text, SHOWN_OF_SIGN) : text;
}

/** `text` has one character per byte. A key may occur as it is, or encoded for a form, JSON or XML. */
function overwriteKeys(text: string, keys: readonly Secret[]): string {
  const written = keys
    .filter((key) => !key.isEmpty)
    .map((key) => key.reveal())
    .flatMap((key) => [key, encodeURIComponent(key), inForm(key), JSON.stringify(key).slice(1, -1), ...inXml(key)])
    .map((each) => Buffer.from(each, 'utf8').toString('latin1'));
  return [...new Set(written)].reduce((so, each) => so.replaceAll(each, '*'.repeat(each.length)), text);
}

function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** Quotes may be unescaped. */
function inXml(text: string): readonly string[] {
  const written = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [written, written.replaceAll('"', '&quot;'), written.replaceAll('"', '&quot;').replaceAll("'", '&apos;')];
}

function overwriteText(text: string, shown: number): string {
  return text.slice(0, shown) + '*'.repeat(Math.max(0, text.length - shown));
}

/** Returns patterns for the value of one of `names` in JSON, as a string or a bare word, and in a form. */
function valuesOf(names: readonly string[]): readonly RegExp[] {
  const name = names.join('|');
  return [
    new RegExp(`("(?:${name})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)`, 'gi'),
    new RegExp(`("(?:${name})"\\s*:\\s*)([^\\s",}]+)`, 'gi'),
    new RegExp(`((?:^|[&?])(?:${name})=)([^&]+)`, 'gi'),
  ];
}

function replaceValues(text: string, values: readonly RegExp[], replaced: (value: string) => string): string {
  return values.reduce(
    (so, each) => so.replace(each, (_, before: string, value: string) => before + replaced(value)),
    text,
  );
}

/** Masks a string of 12 to 19 digits like every mask: its first six and last four digits stay. */
function maskMistyped(value: string): string {
  const { length } = digitsOf(value);
  return length >= SHORTEST_MISTYPED && length <= LONGEST_CARD ? maskDigits(value) : value;
}

/** True if some of the adjacent digits are a number that a network may issue. */
function holdsCard(digits: string): boolean {
  if (digits.length > LONGEST_SEARCHED) return true;
  for (let from = 0; from + SHORTEST_CARD <= digits.length; from += 1)
    for (let to = from + SHORTEST_CARD; to <= Math.min(from + LONGEST_CARD, digits.length); to += 1)
      if (holdsCardNumber(digits.slice(from, to))) return true;
  return false;
}

function digitsOf(text: string): string {
  return [...text.matchAll(EACH_PART)].flatMap(([part, between]) => (between ? [] : [plainDigit(part)])).join('');
}

/** In each encoding, its last character is the digit; full-width digits end in the bytes 0x90 to 0x99. */
function plainDigit(written: string): string {
  return written.startsWith('\xef') ? String(written.charCodeAt(2) - 0x90) : written.slice(-1);
}

function maskDigits(text: string): string {
  const count = digitsOf(text).length;
  let place = 0;
  return text.replace(EACH_PART, (written, between: string | undefined) => {
    if (between !== undefined) return written;
    place += 1;
    return place <= SHOWN_FIRST || place > count - SHOWN_LAST ? written : '*'.repeat(written.length);
  });
}
