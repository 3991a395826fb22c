/**
 * Signs and verifies as Trustly does: RSA, PKCS#1 v1.5, base64, over UTF-8 of the method, the UUID and the serialised
 * data, joined without separators. An object is serialised as its keys in byte order, each followed by its value. An
 * array is its elements in order. Null is empty. The hash is SHA-1, or the one that the signature's prefix names
 * (`alg=RS256;`, `alg=RS384;`, `alg=RS512;`). We sign with RS256 and accept all four.
 *
 * Confirmed by Trustly's documents (authentication, signature tester) and its own five clients: the serialisation.
 * Confirmed with SHA-1: responses and a notification of its test system from its Python client, verified here with its
 * published test key, and signatures in its other clients' tests. Confirmed by a catalogue of Trustly's documents of
 * 2026-09, a gateway in production that signs with `alg=RS256;`, and two clients: the prefixes. Not confirmed: the hash
 * of Trustly's response to a call signed with RS256. Not confirmed: the text of a number or boolean in the plaintext,
 * other than an integer's.
 *
 * Without separators, one signature fits every split of its text. A caller that reads signed data which third parties
 * may have influenced must make sure that it splits in one way only (notification-messages.ts).
 */
import { type KeyObject, sign, verify } from 'node:crypto';
import { isObject, type Json } from '../kit/provider-json.ts';

/** The parts that a signature covers. */
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
