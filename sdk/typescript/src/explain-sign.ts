/** Finds the mistake in a wrong `sign` on your machine. It tries each known mistake and their combinations. */
import { createHash } from 'node:crypto';
import { COVERED } from './payouts.ts';
import type { Fields } from './signatures.ts';

export interface SignExplanation {
  /** Empty if the signature is valid. Null if the mistake is unknown. */
  readonly mistakes: readonly string[] | null;
  /** The string to sign. `[key]` stands for your key. */
  readonly expected: string;
}

type Pairs = readonly (readonly [name: string, value: string])[];
type Row<Work> = readonly [mistake: string, work: Work];

const sorted = (pairs: Pairs, by: 0 | 1 = 0) => [...pairs].sort((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0));
const join = (pairs: Pairs, separator = ':') => pairs.map(([, value]) => value).join(separator);
const written = (write: (value: string) => string) => (pairs: Pairs) =>
  join(sorted(pairs).map(([name, value]) => [name, write(value)] as const));

/** The first row of each table is correct. */
const JOINS: readonly Row<(covered: Pairs, all: Pairs) => string>[] = [
  ['', (covered) => join(sorted(covered))],
  ['all_fields: the signature covers every field, also uncovered ones', (_, all) => join(sorted(all))],
  ['as_sent: the values are in the order of the body, not sorted by field name', (covered) => join(covered)],
  ['sorted_by_value: the values are sorted, not the field names', (covered) => join(sorted(covered, 1))],
  ['sorted_backwards: the fields are sorted backwards', (covered) => join(sorted(covered).reverse())],
  [
    'names_with_values: names are signed with the values',
    (covered) =>
      join(
        sorted(covered).map(([name, value]) => [name, `${name}=${value}`] as const),
        '&',
      ),
  ],
  [
    'names_not_values: names are signed, not values',
    (covered) => join(sorted(covered).map(([name]) => [name, name] as const)),
  ],
  ['no_separator: the colons between the values are missing', (covered) => join(sorted(covered), '')],
  ...['|', ',', '&', ';', ' '].map((separator): (typeof JOINS)[number] => [
    'other_separator: the values are joined by a separator other than a colon',
    (covered) => join(sorted(covered), separator),
  ]),
  ['all_lower_case: the values are written in lower case', written((value) => value.toLowerCase())],
  ['percent_encoded_values: the values are percent-encoded', written(encodeURIComponent)],
  ['escaped_slashes: slashes are escaped, as json_encode does', written((value) => value.replaceAll('/', '\\/'))],
  ['spaces_removed: spaces are removed', written((value) => value.replaceAll(' ', ''))],
];

const PLACES: readonly Row<(joined: string, key: string) => string>[] = [
  ['', (joined, key) => `${joined}:${key}`],
  ['no_key: the key is missing at the end', (joined) => joined],
  ['no_colon_before_key: the colon before the key is missing', (joined, key) => joined + key],
  ['trailing_colon: a colon follows the key', (joined, key) => `${joined}:${key}:`],
  ['leading_colon: a colon precedes the first value', (joined, key) => `:${joined}:${key}`],
  ['double_colon: two colons precede the key', (joined, key) => `${joined}::${key}`],
  ['key_first: the key comes first', (joined, key) => `${key}:${joined}`],
  ['key_on_both_sides: the key is at both ends', (joined, key) => `${key}:${joined}:${key}`],
  ['key_with_line_end: a line end follows the key, as files leave it', (joined, key) => `${joined}:${key}\n`],
];

const hashed = (text: string, algorithm = 'md5') => createHash(algorithm).update(text, 'utf8').digest();
const base64 = (value: string | Buffer) => Buffer.from(value as string).toString('base64');

const HASHES: readonly Row<(text: string) => string>[] = [
  ['', (text) => base64(hashed(text))],
  ['hex_not_base64: the hash is hexadecimal, not base64', (text) => hashed(text).toString('hex')],
  ['upper_hex: the hash is upper-case hexadecimal', (text) => hashed(text).toString('hex').toUpperCase()],
  [
    'base64_of_hex: base64 covers the hexadecimal text, not the 16 bytes',
    (text) => base64(hashed(text).toString('hex')),
  ],
  ['base64_twice: base64 is applied twice', (text) => base64(base64(hashed(text)))],
  ['base64_url: the alphabet is base64url', (text) => hashed(text).toString('base64url')],
  ['no_padding: the signs = at the end are missing', (text) => base64(hashed(text)).replace(/=/g, '')],
  ['sha1: the hash is SHA-1, not MD5', (text) => base64(hashed(text, 'sha1'))],
  ['sha256: the hash is SHA-256, not MD5', (text) => base64(hashed(text, 'sha256'))],
  ['double_md5: MD5 is applied twice', (text) => base64(hashed(hashed(text).toString('hex')))],
];

/** `body` is the request as you sent it, including `sign`. */
export function explainSign(body: Fields, apiKey: string): SignExplanation {
  const { sign = '', ...fields } = body;
  const names = COVERED[Number(fields['method'])];
  const all = Object.entries(fields);
  const covered = names ? all.filter(([name]) => names.includes(name)) : all;
  const missing = covered.map(([name]): (typeof JOINS)[number] => [
    `missing_field: the field ${name} is not signed`,
    (pairs) => join(sorted(pairs.filter(([other]) => other !== name))),
  ]);
  let best: readonly string[] | null = null;
  for (const [joinMistake, joinBy] of [...JOINS, ...missing])
    for (const [placeMistake, place] of PLACES)
      for (const [hashMistake, hash] of HASHES) {
        const mistakes = [joinMistake, placeMistake, hashMistake].filter((each) => each !== '');
        if (best && best.length <= mistakes.length) continue;
        if (hash(place(joinBy(covered, all), apiKey)) === sign) best = mistakes;
      }
  return { mistakes: best, expected: `${join(sorted(covered))}:[key]` };
}
