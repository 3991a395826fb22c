/**
 * Trustly's signature: RSA, PKCS#1 v1.5, base64, over UTF-8 of the method, the UUID and the serialised data, put together
 * without any sign between them. Serialised is: of an object its keys in byte order, each followed by its value; of an
 * array its elements in their order; of null nothing. The hash is SHA-1, or what a prefix of the signature says
 * (`alg=RS256;`, `alg=RS384;`, `alg=RS512;`). We sign by RS256 and believe all four.
 *
 * Confirmed: the serialisation by Trustly's documents (authentication, signature tester) and its own five clients; with
 * SHA-1, by answers and a notification of its test system as its Python client keeps them, which its published test key
 * proves here, and by signatures in its other clients' tests. The prefixes by a catalogue of 2026-09 of Trustly's
 * documents, a gateway in production use that signs by `alg=RS256;`, and two clients. Not confirmed: by which hash Trustly
 * signs an answer to a call that was signed by RS256; a number's or boolean's text in the plaintext, other than an integer's.
 *
 * Since nothing stands between the parts, one signature fits every cut of its text: whoever reads signed data that others
 * may have had a hand in has to make sure that it can be cut in one way only (incoming-messages.ts).
 */
import { type KeyObject, sign, verify } from 'node:crypto';
import { isObject, type Json } from '../kit/provider-json.ts';

/** What a signature covers. */
export interface Signed {
  readonly method: string;
  readonly uuid: string;
  readonly data: Json;
}

const OUR_PREFIX = 'alg=RS256;';
const HASHES: ReadonlyMap<string, string> = new Map([
  ['', 'sha1'],
  [OUR_PREFIX, 'sha256'],
  ['alg=RS384;', 'sha384'],
  ['alg=RS512;', 'sha512'],
]);

export function serialise(value: Json): string {
  if (value === null) return '';
  if (isObject(value))
    return keysInByteOrder(value)
      .map((key) => key + serialise(value[key] ?? null))
      .join('');
  return Array.isArray(value) ? value.map(serialise).join('') : String(value);
}

function keysInByteOrder(object: object): string[] {
  return Object.keys(object).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

export function plaintext({ method, uuid, data }: Signed): string {
  return method + uuid + serialise(data);
}

export function signatureOf(signed: Signed, privateKey: KeyObject): string {
  return OUR_PREFIX + sign('sha256', Buffer.from(plaintext(signed), 'utf8'), privateKey).toString('base64');
}

export function isSignedBy(signed: Signed, signature: string, publicKey: KeyObject): boolean {
  const [, prefix = '', base64 = ''] = /^(alg=[^;]*;)?([A-Za-z0-9+/]+={0,2})$/.exec(signature) ?? [];
  const hash = HASHES.get(prefix);
  if (hash === undefined || base64 === '') return false;
  return verify(hash, Buffer.from(plaintext(signed), 'utf8'), publicKey, Buffer.from(base64, 'base64'));
}
