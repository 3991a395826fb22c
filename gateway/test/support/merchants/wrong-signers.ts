/**
 * Clients that sign incorrectly, each in one way, written only from the API documentation. They share no code with the
 * signature doctor, which must identify each mistake by its id.
 */
import { createHash, createHmac } from 'node:crypto';

export interface SignedCase {
  readonly key: string;
  readonly otherKeys: Readonly<Record<'form' | 'old_api' | 'documentation', string>>;
  /** The fields in the order of the body. */
  readonly fields: Readonly<Record<string, string>>;
  readonly covered: readonly string[];
  readonly raw: string;
}

/** Returns undefined if this request cannot exhibit the mistake. */
export type WrongSigner = (request: SignedCase) => string | undefined;

const md5 = (text: string | Buffer) => createHash('md5').update(text).digest();
const hmac = (text: string | Buffer, key: string) => createHmac('sha256', key).update(text).digest('hex');
const b64 = (value: string | Buffer) => Buffer.from(value as string).toString('base64');

type Pairs = readonly (readonly [string, string])[];

function pairsOf({ fields, covered }: SignedCase): Pairs {
  return covered.map((name) => [name, fields[name] ?? ''] as const);
}

function sorted(pairs: Pairs): Pairs {
  return [...pairs].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

const values = (pairs: Pairs) => pairs.map(([, value]) => value);
const joined = (request: SignedCase) => values(sorted(pairsOf(request))).join(':');
const text = (request: SignedCase) => `${joined(request)}:${request.key}`;
export const rightSign = (request: SignedCase): string => md5(text(request)).toString('base64');
export const rightXSign = ({ raw, key }: SignedCase): string => b64(hmac(raw, key));

const md5Of =
  (each: (request: SignedCase) => string): WrongSigner =>
  (request) =>
    md5(each(request)).toString('base64');
const keyed = (join: (request: SignedCase) => string): WrongSigner =>
  md5Of((request) => `${join(request)}:${request.key}`);
/** Signs with a different spelling of one value. */
const written = (name: string, write: (value: string) => string): WrongSigner =>
  keyed((request) => {
    const value = request.fields[name];
    return value === undefined
      ? joined(request)
      : joined({ ...request, fields: { ...request.fields, [name]: write(value) } });
  });
const allWritten = (write: (value: string) => string): WrongSigner =>
  keyed((request) =>
    values(sorted(pairsOf(request)))
      .map(write)
      .join(':'),
  );
const sent =
  (change: (sign: string) => string): WrongSigner =>
  (request) =>
    change(rightSign(request));

const unicode = (value: string) =>
  [...value].map((c) => (c > '\x7f' ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c)).join('');

export const WRONG_SIGNS: Readonly<Record<string, WrongSigner>> = {
  old_key: (request) => rightSign({ ...request, key: request.otherKeys.old_api }),
  wrong_purpose: (request) => rightSign({ ...request, key: request.otherKeys.form }),
  documentation_key: (request) => rightSign({ ...request, key: request.otherKeys.documentation }),
  no_key: md5Of(joined),
  key_with_line_end: md5Of((request) => `${text(request)}\n`),
  quoted_key: md5Of((request) => `${joined(request)}:"${request.key}"`),
  key_case: md5Of((request) => `${joined(request)}:${request.key.toUpperCase()}`),
  hashed_key: md5Of((request) => `${joined(request)}:${md5(request.key).toString('hex')}`),
  encoded_key: md5Of((request) => `${joined(request)}:${b64(request.key)}`),
  missing_field: keyed((request) =>
    joined({ ...request, covered: request.covered.filter((name) => name !== 'method') }),
  ),
  extra_field: keyed((request) => joined({ ...request, covered: [...request.covered, 'note'] })),
  all_fields: keyed((request) => joined({ ...request, covered: Object.keys(request.fields) })),
  absent_field: keyed((request) => joined({ ...request, covered: [...request.covered, 'bank'] })),
  empty_fields_skipped: (request) =>
    Object.values(request.fields).includes('')
      ? keyed((each) =>
          values(sorted(pairsOf(each)))
            .filter(Boolean)
            .join(':'),
        )(request)
      : undefined,
  fields_of_other_method: keyed((request) => joined({ ...request, covered: ['merchant', 'payout_id'] })),
  as_documented: keyed((request) => {
    const first = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];
    return values([
      ...first.flatMap((name) => pairsOf(request).filter(([each]) => each === name)),
      ...pairsOf(request).filter(([name]) => !first.includes(name)),
    ]).join(':');
  }),
  as_sent: keyed((request) =>
    Object.keys(request.fields)
      .filter((name) => request.covered.includes(name))
      .map((name) => request.fields[name])
      .join(':'),
  ),
  sorted_by_value: keyed((request) =>
    values(pairsOf(request))
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .join(':'),
  ),
  sorted_backwards: keyed((request) => values([...sorted(pairsOf(request))].reverse()).join(':')),
  names_with_values: keyed((request) =>
    sorted(pairsOf(request))
      .map((pair) => pair.join('='))
      .join('&'),
  ),
  names_not_values: keyed((request) =>
    sorted(pairsOf(request))
      .map(([name]) => name)
      .join(':'),
  ),
  other_separator: keyed((request) => values(sorted(pairsOf(request))).join('|')),
  json_of_fields: keyed((request) => JSON.stringify(Object.fromEntries(sorted(pairsOf(request))))),
  whole_body: keyed(({ raw }) => raw),
  amount_written_otherwise: written('amount', (value) => String(Math.round(Number(value) * 100))),
  currency_case: written('currency', (value) => value.toLowerCase()),
  trimmed: written('full_name', (value) => value.trim()),
  spaces_added: written('payout_id', (value) => `${value} `),
  account_written_otherwise: written('account', (value) => value.replace(/(.{4})(?=.)/g, '$1 ')),
  plus_dropped: written('customs_phone', (value) => value.replace('+', '')),
  other_case: written('payout_id', (value) => value.toLowerCase()),
  method_written_otherwise: written('method', (value) => value.padStart(3, '0')),
  null_value: written('payout_id', () => 'null'),
  percent_encoded_values: allWritten(encodeURIComponent),
  escaped_slashes: allWritten((value) => value.replace(/\//g, '\\/')),
  escaped_unicode: allWritten(unicode),
  html_escaped: allWritten((value) => value.replace(/&/g, '&amp;')),
  quoted_values: allWritten((value) => `"${value}"`),
  all_lower_case: allWritten((value) => value.toLowerCase()),
  spaces_removed: allWritten((value) => value.replace(/ /g, '')),
  decomposed_letters: allWritten((value) => value.normalize('NFD')),
  charset: (request) => md5(Buffer.from(text(request), 'latin1')).toString('base64'),
  no_colon_before_key: md5Of((request) => joined(request) + request.key),
  trailing_colon: md5Of((request) => `${text(request)}:`),
  leading_colon: md5Of((request) => `:${text(request)}`),
  double_colon: md5Of((request) => `${joined(request)}::${request.key}`),
  key_first: md5Of((request) => `${request.key}:${joined(request)}`),
  key_on_both_sides: md5Of((request) => `${request.key}:${text(request)}`),
  hex_not_base64: (request) => md5(text(request)).toString('hex'),
  upper_hex: (request) => md5(text(request)).toString('hex').toUpperCase(),
  base64_of_hex: (request) => b64(md5(text(request)).toString('hex')),
  base64_twice: sent(b64),
  base64_url: (request) => md5(text(request)).toString('base64url'),
  plus_became_space: sent((sign) => sign.replace(/\+/g, ' ')),
  percent_encoded: sent(encodeURIComponent),
  surrounded: sent((sign) => `"${sign}"`),
  signature_case: sent((sign) => sign.toLowerCase()),
  truncated: sent((sign) => sign.slice(0, 20)),
  no_padding: sent((sign) => sign.replace(/=/g, '')),
  hmac_md5: (request) => createHmac('md5', request.key).update(joined(request)).digest('base64'),
  hmac_sha256: (request) => b64(hmac(joined(request), request.key)),
  sha1: (request) => createHash('sha1').update(text(request)).digest('base64'),
  sha256: (request) => createHash('sha256').update(text(request)).digest('base64'),
  sha512: (request) => createHash('sha512').update(text(request)).digest('base64'),
  double_md5: (request) => md5(md5(text(request)).toString('hex')).toString('base64'),
};

/** Further ways to make the same mistakes, for a request without a slash in its values. */
export const WRONG_SIGNS_OF_OTHER_CLIENTS: readonly (readonly [id: string, sign: WrongSigner])[] = [
  ['other_separator', md5Of((request) => [...values(sorted(pairsOf(request))), request.key].join('|'))],
  ['whole_body', keyed(({ raw }) => raw.replace(',"sign":"x"', ''))],
  ['escaped_unicode', allWritten(unicode)],
];

const x =
  (change: (raw: string) => string): WrongSigner =>
  ({ raw, key }) =>
    b64(hmac(change(raw), key));
const json = (change: (fields: Record<string, unknown>) => unknown): WrongSigner =>
  x((raw) => JSON.stringify(change(JSON.parse(raw) as Record<string, unknown>)));

export const WRONG_X_SIGNS: Readonly<Record<string, WrongSigner>> = {
  old_key: (request) => rightXSign({ ...request, key: request.otherKeys.old_api }),
  wrong_purpose: (request) => rightXSign({ ...request, key: request.otherKeys.form }),
  empty_key: (request) => rightXSign({ ...request, key: '' }),
  key_with_line_end: (request) => rightXSign({ ...request, key: `${request.key}\n` }),
  line_end_after_body: x((raw) => `${raw}\n`),
  slashes_escaped: x((raw) => raw.replace(/\//g, '\\/')),
  unicode_escaped: x(unicode),
  serialised_twice: x((raw) => JSON.stringify(JSON.parse(raw), null, 2)),
  other_key_order: json((fields) => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))),
  number_for_string: json((fields) => ({ ...fields, amount: Number(fields['amount']) })),
  amount_reformatted: json((fields) => ({ ...fields, amount: Number(fields['amount']).toFixed(1) })),
  sign_field_in_body: (request) => {
    const fields = JSON.parse(request.raw) as Record<string, unknown>;
    if (!('sign' in fields)) return undefined;
    return json((each) => Object.fromEntries(Object.entries(each).filter(([name]) => name !== 'sign')))(request);
  },
  quoted_body: x((raw) => JSON.stringify(raw)),
  form_encoded_body: x((raw) => new URLSearchParams(JSON.parse(raw) as Record<string, string>).toString()),
  other_line_ends: (request) =>
    request.raw.includes('\n') ? x((raw) => raw.replace(/\n/g, '\r\n'))(request) : undefined,
  byte_order_mark: x((raw) => `\ufeff${raw}`),
  empty_body: x(() => ''),
  body_charset: ({ raw, key }) => b64(hmac(Buffer.from(raw, 'latin1'), key)),
  joined_values: ({ fields, key }) => b64(hmac(Object.values(fields).join(':'), key)),
  key_in_body: (request) => b64(hmac(request.raw + request.key, request.key)),
  hex_not_base64: ({ raw, key }) => hmac(raw, key),
  upper_hex: ({ raw, key }) => b64(hmac(raw, key).toUpperCase()),
  base64_of_bytes: ({ raw, key }) => b64(Buffer.from(hmac(raw, key), 'hex')),
  base64_twice: ({ raw, key }) => b64(b64(hmac(raw, key))),
  no_padding: ({ raw, key }) => b64(hmac(raw, key)).replace(/=/g, ''),
  sha1: ({ raw, key }) => b64(createHmac('sha1', key).update(raw).digest('hex')),
  sha256: ({ raw, key }) =>
    b64(
      createHash('sha256')
        .update(raw + key)
        .digest('hex'),
    ),
  sha512: ({ raw, key }) => b64(createHmac('sha512', key).update(raw).digest('hex')),
  md5_of_body: ({ raw, key }) => b64(md5(`${raw}:${key}`).toString('hex')),
  swapped_arguments: ({ raw, key }) => b64(hmac(key, raw)),
};
