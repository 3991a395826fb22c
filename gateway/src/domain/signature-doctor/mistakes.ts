/**
 * The known mistakes in signatures, as data: how each changes the recipe. Likely mistakes come first, because the doctor
 * reports the first that explains a signature. A new mistake is a new row.
 */
import { createHmac, hash } from 'node:crypto';
import { BODY_MISTAKES } from './body-mistakes.ts';
import { base64, base64OfHex, hashOf, hex, hmacOf } from './recipes.ts';
import type { Candidate, KeyOrigin, Mistake, Recipe, Scheme, Suspect } from './suspect.ts';
import { VALUE_MISTAKES } from './value-mistakes.ts';

/** A mistake that is the same in every request. */
function row(id: string, scheme: Mistake['scheme'], text: string, ...changes: readonly Partial<Recipe>[]): Mistake {
  const candidates = changes.map((change) => ({ change }));
  return { id, scheme, text, candidates: () => candidates };
}

function keyRow(id: string, text: string, origins: (suspect: Suspect) => readonly KeyOrigin[]): Mistake {
  return {
    id,
    text,
    scheme: 'both',
    candidates: (suspect) => origins(suspect).map((key): Candidate => ({ change: { key } })),
  };
}

const upperHex = (digest: Buffer) => hex(digest).toUpperCase();
const base64Url = (digest: Buffer) => digest.toString('base64url');
const twice = (inner: string, between: (digest: Buffer) => string | Buffer) => (bytes: Buffer) =>
  hashOf('md5')(Buffer.from(between(hashOf(inner)(bytes)) as string));

const KEYS: readonly Mistake[] = [
  keyRow(
    'old_key',
    'The request is signed with an old key that is no longer valid. Sign with the current key.',
    ({ rightOrigin }) => [rightOrigin === 'api' ? 'old_api' : 'old_form'],
  ),
  keyRow(
    'wrong_purpose',
    'It was made with the key for the other purpose. The API key signs requests, the form key signs links.',
    ({ rightOrigin }) => (rightOrigin === 'api' ? ['form', 'old_form'] : ['api', 'old_api']),
  ),
  keyRow('documentation_key', 'It was made with the example key of the documentation.', () => ['documentation']),
  row(
    'no_key',
    'sign',
    'The key is missing at the end of the string to sign.',
    { place: (joined) => joined },
    { place: (joined) => `${joined}:` },
  ),
  row('empty_key', 'x_sign', 'It was made with an empty key.', { key: 'none' }),
  row(
    'key_with_line_end',
    'both',
    'A line break or a space surrounds the key or ends the string to sign. Files and echo often add one.',
    ...['\n', '\r\n', ' '].flatMap((end) => [
      { keyText: (key: string) => key + end },
      { keyText: (key: string) => end + key },
    ]),
  ),
  row(
    'quoted_key',
    'both',
    'The key was used together with quotation marks.',
    { keyText: (key) => `"${key}"` },
    { keyText: (key) => `'${key}'` },
  ),
  row(
    'key_case',
    'both',
    'The key was converted to lower or upper case.',
    { keyText: (key) => key.toLowerCase() },
    { keyText: (key) => key.toUpperCase() },
  ),
  row(
    'hashed_key',
    'both',
    'A hash of the key was used instead of the key.',
    ...['md5', 'sha1', 'sha256'].map((algorithm) => ({ keyText: (key: string) => hash(algorithm, key, 'hex') })),
  ),
  row(
    'encoded_key',
    'both',
    'The key was encoded in base64 or hexadecimal before its use.',
    { keyText: (key) => Buffer.from(key).toString('base64') },
    { keyText: (key) => Buffer.from(key).toString('hex') },
  ),
];

const PLACES: readonly Mistake[] = [
  row('no_colon_before_key', 'sign', 'The colon between the last value and the key is missing.', {
    place: (joined, key) => joined + key,
  }),
  row('trailing_colon', 'sign', 'A colon follows the key.', { place: (joined, key) => `${joined}:${key}:` }),
  row('leading_colon', 'sign', 'A colon precedes the first value.', { place: (joined, key) => `:${joined}:${key}` }),
  row('double_colon', 'sign', 'Two colons precede the key.', { place: (joined, key) => `${joined}::${key}` }),
  row(
    'key_first',
    'both',
    'The key is at the beginning of the string to sign.',
    { place: (joined, key) => `${key}:${joined}` },
    { place: (joined, key) => key + joined },
  ),
  row(
    'key_on_both_sides',
    'both',
    'The key is at the beginning and at the end of the string to sign.',
    { place: (joined, key) => `${key}:${joined}:${key}` },
    { place: (joined, key) => key + joined + key },
  ),
  row(
    'key_in_body',
    'x_sign',
    'The key was appended to the body. Pass the key only to HMAC.',
    { place: (joined, key) => joined + key },
    { place: (joined, key) => `${joined}:${key}` },
  ),
];

const DIGESTS: readonly Mistake[] = [
  row(
    'hmac_md5',
    'sign',
    'HMAC-MD5 was used. Use plain MD5 over the string that ends with the key.',
    { digest: hmacOf('md5'), place: (joined) => joined },
    { digest: hmacOf('md5') },
  ),
  row(
    'hmac_sha256',
    'sign',
    'HMAC-SHA256 was used, which is the scheme of X-Sign. Use MD5.',
    { digest: hmacOf('sha256'), place: (joined) => joined },
    { digest: hmacOf('sha256') },
    { digest: hmacOf('sha256'), place: (joined) => joined, encode: base64OfHex },
    { digest: hmacOf('sha256'), encode: base64OfHex },
  ),
  row('sha1', 'both', 'It is SHA-1, not the required hash.', { digest: hashOf('sha1') }, { digest: hmacOf('sha1') }),
  row(
    'sha256',
    'both',
    'Plain SHA-256 was used instead of the required hash.',
    { digest: hashOf('sha256') },
    { digest: hashOf('sha256'), place: (joined, key) => joined + key },
    { digest: hashOf('sha256'), place: (joined, key) => key + joined },
  ),
  row(
    'sha512',
    'both',
    'SHA-512 was used instead of the required hash.',
    { digest: hashOf('sha512') },
    { digest: hmacOf('sha512') },
  ),
  row(
    'md5_of_body',
    'x_sign',
    'MD5 was used instead of HMAC-SHA256.',
    { digest: hashOf('md5') },
    { digest: hashOf('md5'), place: (joined, key) => joined + key },
    { digest: hashOf('md5'), place: (joined, key) => `${joined}:${key}` },
    { digest: hmacOf('md5') },
  ),
  row(
    'double_md5',
    'sign',
    'MD5 was applied twice.',
    { digest: twice('md5', hex) },
    { digest: twice('md5', (digest) => digest) },
    { digest: twice('md5', base64) },
  ),
  row('swapped_arguments', 'x_sign', 'The key and the body were swapped in the HMAC call.', {
    digest: (bytes, key) => createHmac('sha256', bytes).update(key).digest(),
  }),
];

const isHexText = (scheme: Scheme) => (scheme === 'sign' ? 'the hexadecimal digest' : 'the hexadecimal text');

const ENCODINGS: readonly Mistake[] = [
  row('hex_not_base64', 'both', `It is ${isHexText('sign')} itself. Encode it in base64.`, { encode: hex }),
  row(
    'upper_hex',
    'both',
    'It was computed from upper-case hex.',
    { encode: upperHex },
    { encode: (digest) => Buffer.from(upperHex(digest)).toString('base64') },
  ),
  row('base64_of_hex', 'sign', 'It is the base64 of the hex string. MD5 needs the base64 of the 16 raw bytes.', {
    encode: base64OfHex,
  }),
  row('base64_of_bytes', 'x_sign', 'It is the base64 of the raw bytes. X-Sign needs the base64 of the hex string.', {
    encode: base64,
  }),
  row(
    'base64_twice',
    'both',
    'Base64 was applied twice.',
    { encode: (digest) => Buffer.from(base64(digest)).toString('base64') },
    { encode: (digest) => Buffer.from(base64OfHex(digest)).toString('base64') },
  ),
  row('no_padding', 'both', 'The = at the end of the base64 string is missing.', {
    send: (signature) => signature.replace(/=+$/, ''),
  }),
  row(
    'base64_url',
    'both',
    'It is URL-safe base64, with - and _. The gateway needs standard base64, with + and /.',
    { encode: base64Url },
    { encode: (digest) => base64(digest).replaceAll('+', '-').replaceAll('/', '_') },
    { encode: (digest) => Buffer.from(hex(digest)).toString('base64url') },
  ),
  row(
    'plus_became_space',
    'both',
    'The + of the signature arrived as a space: percent-encode it in forms and queries.',
    { send: (signature) => signature.replaceAll('+', ' ') },
  ),
  row(
    'percent_encoded',
    'both',
    'The signature was percent-encoded too many times.',
    { send: encodeURIComponent },
    { send: (signature) => encodeURIComponent(encodeURIComponent(signature)) },
  ),
  row(
    'surrounded',
    'both',
    'Quotation marks, spaces, a line break or a prefix surround the signature.',
    ...['"', ' ', "'"].map((around) => ({ send: (signature: string) => around + signature + around })),
    ...['\n', ' ', '\r\n'].map((end) => ({ send: (signature: string) => signature + end })),
    ...['sha256=', 'md5=', 'Bearer '].map((start) => ({ send: (signature: string) => start + signature })),
  ),
  row(
    'signature_case',
    'both',
    'The signature was converted to lower or upper case.',
    { send: (signature) => signature.toLowerCase() },
    { send: (signature) => signature.toUpperCase() },
  ),
  row(
    'truncated',
    'both',
    'The signature is cut off.',
    ...[20, 22, 23, 32, 64].map((length) => ({ send: (signature: string) => signature.slice(0, length) })),
  ),
];

export const MISTAKES: readonly Mistake[] = [
  ...KEYS,
  ...VALUE_MISTAKES,
  ...BODY_MISTAKES,
  ...PLACES,
  ...ENCODINGS,
  ...DIGESTS,
];
