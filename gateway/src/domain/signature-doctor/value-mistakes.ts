/** The mistakes in selecting, formatting, sorting and joining the values of `sign`, as data. */
import { byName, entriesOf } from './recipes.ts';
import type { Entry, Mistake, Suspect } from './suspect.ts';

type Entries = readonly Entry[];

function row(id: string, text: string, candidates: Mistake['candidates']): Mistake {
  return { id, text, scheme: 'sign', candidates };
}

/** Every value is formatted differently. */
function writing(id: string, text: string, ...writings: readonly ((value: string) => string)[]): Mistake {
  return row(id, text, () => writings.map((value) => ({ change: { value } })));
}

/** Returns a candidate with one value in a different format. */
function writingOne(
  id: string,
  text: string,
  writings: (value: string, name: string) => readonly string[],
  applies: (name: string) => boolean = () => true,
): Mistake {
  return row(id, text, (suspect) =>
    entriesOf(suspect, suspect.covered.filter(applies)).flatMap(([field, sent]) =>
      writings(sent, field).map((written) =>
        written === sent
          ? undefined
          : { field, change: { value: (value: string, name: string) => (name === field ? written : value) } },
      ),
    ),
  );
}

function sorting(id: string, text: string, ...orders: readonly ((entries: Entries) => Entries)[]): Mistake {
  return row(id, text, () => orders.map((order) => ({ change: { order } })));
}

function joining(id: string, text: string, ...joins: readonly ((entries: Entries) => string)[]): Mistake {
  return row(id, text, () => joins.map((join) => ({ change: { join } })));
}

const DOCUMENTED = ['merchant', 'method', 'payout_id', 'order', 'account', 'amount', 'currency'];
const byValue = ([, left]: Entry, [, right]: Entry) => Buffer.compare(Buffer.from(left), Buffer.from(right));
const place = (name: string) => (DOCUMENTED.includes(name) ? DOCUMENTED.indexOf(name) : DOCUMENTED.length);

const encodeForm = (value: string) => new URLSearchParams([['', value]]).toString().slice(1);
const escapeUnicode = (value: string) =>
  value.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const escapeSlashes = (value: string) => value.replaceAll('/', '\\/');
const escapeHtml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;').replaceAll('<', '&lt;');

function amountWritings(amount: string): readonly string[] {
  const value = Number(amount);
  if (!Number.isFinite(value)) return [];
  const minor = String(Math.round(value * 100));
  const grouped = value.toLocaleString('en-US', { minimumFractionDigits: 2 });
  return [
    String(value),
    value.toFixed(2),
    value.toFixed(1),
    minor,
    amount.replace('.', ','),
    grouped,
    value.toFixed(3),
  ];
}

/** A client serialises the body before it has the signature. */
function withoutSign(body: string): string {
  return body.replace(/,\s*"sign"\s*:\s*"[^"]*"|"sign"\s*:\s*"[^"]*"\s*,\s*/, '');
}

function accountWritings(account: string): readonly string[] {
  const grouped = (by: string) => account.replace(/(.{4})(?=.)/g, `$1${by}`);
  const masked = `${account.slice(0, 6)}${'*'.repeat(Math.max(0, account.length - 10))}${account.slice(-4)}`;
  return [grouped(' '), grouped('-'), masked, account.replaceAll(/[\s-]/g, '')];
}

const PICKS: readonly Mistake[] = [
  row('empty_fields_skipped', 'Empty values are missing from the string to sign. Include them.', (suspect) =>
    entriesOf(suspect, suspect.covered).some(([, value]) => value === '')
      ? [{ change: { pick: (each) => entriesOf(each, each.covered).filter(([, value]) => value !== '') } }]
      : [],
  ),
  row('missing_field', 'The value of {field} is missing from the string to sign.', ({ covered }) =>
    covered.map((field) => ({
      field,
      change: {
        pick: (suspect: Suspect) =>
          entriesOf(
            suspect,
            covered.filter((name) => name !== field),
          ),
      },
    })),
  ),
  row('extra_field', '{field} is in the string to sign, but this signature does not cover it.', ({ fields, covered }) =>
    [...fields.keys()]
      .filter((field) => !covered.includes(field))
      .map((field) => ({ field, change: { pick: (suspect: Suspect) => entriesOf(suspect, [...covered, field]) } })),
  ),
  row(
    'all_fields',
    'Every field of the request is in the string to sign, but this signature covers only some of them.',
    ({ fields, covered }) =>
      fields.size > covered.length + 1
        ? [{ change: { pick: (suspect) => entriesOf(suspect, [...fields.keys()]) } }]
        : [],
  ),
  row(
    'fields_of_other_method',
    'The string to sign contains the fields that another method or endpoint signs.',
    ({ otherSets }) => otherSets.map((names) => ({ change: { pick: (suspect) => entriesOf(suspect, names) } })),
  ),
  row(
    'absent_field',
    '{field} was not sent, but is in the string to sign as an empty or null value.',
    ({ covered, absent }) =>
      absent.flatMap((field) =>
        ['', 'null', '0'].map((value) => ({
          field,
          change: { pick: (suspect: Suspect) => [...entriesOf(suspect, covered), [field, value] as const] },
        })),
      ),
  ),
];

const ORDERS: readonly Mistake[] = [
  sorting(
    'as_documented',
    'The values are in the order of the documentation’s tables. Sort by field name.',
    (entries) => entries.toSorted(([left], [right]) => place(left) - place(right)),
  ),
  row('as_sent', 'The values are in the order of the body. Sort them by field name.', ({ fields }) => [
    {
      change: {
        order: (entries) => [...fields.keys()].flatMap((name) => entries.filter((entry) => entry[0] === name)),
      },
    },
  ]),
  sorting('sorted_by_value', 'The values are sorted by value. Sort them by field name.', (entries) =>
    entries.toSorted(byValue),
  ),
  sorting('sorted_backwards', 'The values are sorted by field name from z to a. Sort them from a to z.', (entries) =>
    entries.toSorted(byName).toReversed(),
  ),
];

const JOINS: readonly Mistake[] = [
  joining(
    'names_with_values',
    'The string to sign contains the field names. Join only their values.',
    ...['=', ':'].flatMap((is) =>
      ['&', ':', '', ',', ';'].map(
        (between) => (entries: Entries) => entries.map((entry) => entry.join(is)).join(between),
      ),
    ),
  ),
  joining('names_not_values', 'The names are joined instead of the values.', (entries) =>
    entries.map(([name]) => name).join(':'),
  ),
  row('other_separator', 'The values are joined without a separator, or with one other than a colon.', () =>
    ['', '|', ',', ';', '&', '-', '.', '_', ' ', '\n', '::', ': '].flatMap((between) => {
      const join = (entries: Entries) => entries.map(([, value]) => value).join(between);
      const place = (joined: string, key: string) => joined + between + key;
      return [{ change: { join } }, { change: { join, place } }];
    }),
  ),
  joining(
    'json_of_fields',
    'The string to sign is JSON. Join the values with colons.',
    (entries) => JSON.stringify(Object.fromEntries(entries)),
    (entries) => JSON.stringify(entries.map(([, value]) => value)),
  ),
  row('whole_body', 'The string to sign is the entire body. Join the values with colons.', ({ raw }) => [
    { change: { join: () => raw.toString() } },
    { change: { join: () => raw.toString(), place: (joined) => joined } },
    { change: { join: () => withoutSign(raw.toString()) } },
  ]),
];

const VALUES: readonly Mistake[] = [
  writingOne(
    'amount_written_otherwise',
    'The string to sign writes the amount differently from the request.',
    amountWritings,
    (name) => name === 'amount',
  ),
  writingOne(
    'currency_case',
    'The string to sign writes the currency differently from the request.',
    (value) => [value.toLowerCase(), value.toUpperCase()],
    (name) => name === 'currency',
  ),
  writingOne('trimmed', '{field} was trimmed in the string to sign, but sent with its spaces.', (value) => [
    value.trim(),
    value.trimEnd(),
    value.trimStart(),
  ]),
  writingOne('spaces_added', 'The string to sign adds a space or a line break to {field}.', (value) => [
    `${value} `,
    ` ${value}`,
    `${value}\n`,
  ]),
  writingOne(
    'account_written_otherwise',
    'The string to sign groups or masks the account, or omits its separators.',
    accountWritings,
    (name) => name === 'account',
  ),
  writingOne('plus_dropped', 'The + of {field} is either missing from the string to sign or only there.', (value) => [
    value.replace(/^\+/, ''),
    `+${value}`,
    value.replaceAll('+', ' '),
  ]),
  writingOne('other_case', 'The string to sign and the request write {field} in different letter case.', (value) => [
    value.toLowerCase(),
    value.toUpperCase(),
  ]),
  writingOne(
    'method_written_otherwise',
    'The string to sign writes the method differently from the request.',
    (value) => [value.padStart(2, '0'), value.padStart(3, '0'), `${value}.0`, String(Number(value))],
    (name) => name === 'method',
  ),
  writingOne(
    'null_value',
    '{field} is null, false or empty in the string to sign, but has a value in the request.',
    () => ['null', 'false', '', 'undefined', 'None'],
  ),
  writing(
    'percent_encoded_values',
    'The values are percent-encoded in the string to sign. Sign them as they are.',
    encodeURIComponent,
    encodeForm,
  ),
  writing('escaped_unicode', 'The string to sign writes letters outside ASCII as \\uXXXX.', escapeUnicode),
  writing('escaped_slashes', 'The string to sign writes / as \\/.', escapeSlashes, (value) =>
    escapeSlashes(escapeUnicode(value)),
  ),
  writing('html_escaped', 'The string to sign writes special characters as HTML entities.', escapeHtml, (value) =>
    value.replaceAll('&', '&amp;'),
  ),
  writing(
    'quoted_values',
    'The values have quotation marks in the string to sign.',
    (value) => JSON.stringify(value),
    (value) => `'${value}'`,
  ),
  writing(
    'all_lower_case',
    'The entire string to sign was converted to lower or upper case.',
    (value) => value.toLowerCase(),
    (value) => value.toUpperCase(),
  ),
  writing(
    'spaces_removed',
    'The spaces of the values are missing from the string to sign.',
    (value) => value.replaceAll(' ', ''),
    (value) => value.replaceAll(' ', '_'),
  ),
  writing(
    'decomposed_letters',
    'Accented letters have different Unicode normalisation forms in the string to sign and the request.',
    (value) => value.normalize('NFD'),
    (value) => value.normalize('NFC'),
  ),
  row('charset', 'The string to sign is not in UTF-8.', () => [
    { change: { bytes: (text) => Buffer.from(text, 'latin1') } },
    { change: { bytes: (text) => Buffer.from(text, 'utf16le') } },
    { change: { bytes: (text) => Buffer.from(text.replace(/[^\0-\x7f]/gu, '?')) } },
    { change: { bytes: (text) => Buffer.from(Buffer.from(text).toString('latin1')) } },
    { change: { bytes: toWindows1251 } },
  ]),
];

/** Encodes in the code page of old Windows systems with Cyrillic letters. */
function toWindows1251(text: string): Buffer {
  return Buffer.from([...text].map((letter) => WINDOWS_1251.get(letter) ?? letter.charCodeAt(0) % 256));
}

const WINDOWS_1251: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, at): [string, number] => {
    const byte = at + 128;
    return [new TextDecoder('windows-1251').decode(Uint8Array.of(byte)), byte];
  }),
);

export const VALUE_MISTAKES: readonly Mistake[] = [...PICKS, ...ORDERS, ...JOINS, ...VALUES];
