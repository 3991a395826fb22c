/** The mistakes in the body that an `X-Sign` covers, as data: the signed bytes differ from the sent bytes. */
import { entriesOf } from './recipes.ts';
import type { Mistake, Suspect } from './suspect.ts';

type Rewrite = (json: unknown, text: string) => string | undefined;

/** The body was signed as one of `rewrites` and sent as it arrived. */
function row(id: string, text: string, ...rewrites: readonly Rewrite[]): Mistake {
  return {
    id,
    text,
    scheme: 'x_sign',
    candidates: ({ raw }) =>
      rewrites.map((rewrite) => {
        const sent = raw.toString();
        const signed = rewrite(parsed(sent), sent);
        return signed === undefined || signed === sent ? undefined : { change: { body: () => Buffer.from(signed) } };
      }),
  };
}

function bytesRow(id: string, text: string, rewrite: (suspect: Suspect) => readonly Buffer[]): Mistake {
  return {
    id,
    text,
    scheme: 'x_sign',
    candidates: (suspect) => rewrite(suspect).map((body) => ({ change: { body: () => body } })),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const compact: Rewrite = (json) => (json === undefined ? undefined : JSON.stringify(json));

/** Adds spaces between the members, as Python and Ruby write JSON. */
const spaced: Rewrite = (json) =>
  isObject(json)
    ? `{${Object.entries(json)
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(', ')}}`
    : undefined;

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function sorted(json: unknown): unknown {
  return isObject(json) ? Object.fromEntries(Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1))) : json;
}

function then(first: Rewrite, second: (text: string) => string): Rewrite {
  return (json, text) => {
    const written = first(json, text);
    return written === undefined ? undefined : second(written);
  };
}

const sent: Rewrite = (_, text) => text;
const escapeSlashes = (text: string) => text.replaceAll('/', '\\/');
const escapeUnicode = (text: string) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function changed(json: unknown, change: (value: unknown, name: string) => unknown): string | undefined {
  if (!isObject(json)) return undefined;
  return JSON.stringify(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, change(value, name)])));
}

export const BODY_MISTAKES: readonly Mistake[] = [
  row(
    'line_end_after_body',
    'The signed body and the sent body differ in a line break at the end. Sign the exact bytes that you send.',
    (_, text) => `${text}\n`,
    (_, text) => `${text}\r\n`,
    (_, text) => text.trimEnd(),
  ),
  row(
    'slashes_escaped',
    'The signed body and the sent body differ in the escaping of /, as \\/. Sign the exact bytes that you send.',
    then(sent, escapeSlashes),
    then(compact, escapeSlashes),
    (_, text) => text.replaceAll('\\/', '/'),
  ),
  row(
    'unicode_escaped',
    'The signed body and the sent body differ in the escaping of letters outside ASCII, as \\uXXXX. Sign the exact bytes that you send.',
    then(sent, escapeUnicode),
    then(compact, escapeUnicode),
    then(sent, (text) => escapeSlashes(escapeUnicode(text))),
  ),
  row(
    'serialised_twice',
    'The JSON was serialised twice, with different spaces. Sign the exact bytes that you send.',
    compact,
    spaced,
    then(spaced, escapeUnicode),
    (json) => JSON.stringify(json, null, 2),
    (json) => JSON.stringify(json, null, 4),
    (json) => JSON.stringify(json, null, '\t'),
  ),
  row(
    'other_key_order',
    'The JSON was signed with its fields in another order.',
    (json) => JSON.stringify(sorted(json)),
    (json) => spaced(sorted(json), ''),
  ),
  row(
    'number_for_string',
    'A value was signed as a number but sent as a string, or vice versa.',
    (json) => changed(json, (value, name) => (name === 'amount' && typeof value === 'string' ? Number(value) : value)),
    (json) =>
      changed(json, (value) => (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value)),
    (json) => changed(json, (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  row(
    'amount_reformatted',
    'The amount was signed with a different number of decimals than it was sent with.',
    ...[0, 1, 2].map(
      (digits): Rewrite =>
        (json) =>
          changed(json, (value, name) =>
            name === 'amount' && Number.isFinite(Number(value)) ? Number(value).toFixed(digits) : value,
          ),
    ),
  ),
  row(
    'sign_field_in_body',
    'The body was signed without a field that was added later, such as sign.',
    (json) => changed(json, (value, name) => (name === 'sign' ? undefined : value)),
    (json) => changed(json, (value, name) => (name === 'sign' ? '' : value)),
  ),
  row('quoted_body', 'The JSON was signed as a quoted JSON string.', (_, text) => JSON.stringify(text)),
  row('form_encoded_body', 'The fields were signed as a form and sent as JSON.', (json) =>
    isObject(json)
      ? new URLSearchParams(
          Object.entries(json).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString()
      : undefined,
  ),
  row(
    'other_line_ends',
    'The body was signed with different line breaks.',
    (_, text) => text.replaceAll('\r\n', '\n'),
    (_, text) => text.replace(/\r?\n/g, '\r\n'),
  ),
  row(
    'byte_order_mark',
    'A byte order mark precedes the signed or the sent body.',
    (_, text) => `\ufeff${text}`,
    (_, text) => text.replace(/^\ufeff/, ''),
  ),
  row(
    'empty_body',
    'An empty body was signed.',
    () => '',
    () => '{}',
    () => 'null',
  ),
  bytesRow('body_charset', 'The body was signed in a charset other than UTF-8.', ({ raw }) => [
    Buffer.from(raw.toString(), 'latin1'),
    Buffer.from(raw.toString(), 'utf16le'),
    Buffer.from(raw.toString('latin1')),
  ]),
  bytesRow(
    'joined_values',
    'The joined values were signed, as for the field sign. Sign the entire body for X-Sign.',
    (suspect) => {
      const entries = entriesOf(suspect, [...suspect.fields.keys()]);
      const texts = [entries, entries.toSorted(([a], [b]) => (a < b ? -1 : 1))].map((each) =>
        each.map(([, value]) => value),
      );
      return texts.map((values) => Buffer.from(values.join(':')));
    },
  ),
];
