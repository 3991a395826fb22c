/**
 * The signatures between merchants and the gateway: MD5 in the field `sign`, HMAC in the header `X-Sign`, and the
 * fields that the first one covers (decisions 1 and 3).
 */
import { createHmac, hash } from 'node:crypto';
import { equalInConstantTime, Secret } from '../../foundation/secret.ts';

/** The covered fields by name, without the signature. Values are the texts as received or sent. */
export type SignedFields = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** Signs responses with status `Error`. It is not proof, and `verifyMd5` never accepts it. */
export const EMPTY_KEY = new Secret('');

/**
 * Returns the API's MD5 `sign`, used for payouts, status, balance, list, form, responses and callbacks (decision 1). It signs
 * the given strings and does not know which fields a request has to cover.
 *
 * Joins the values in byte order of their names with `:`, appends `:` and the key, and returns the MD5 hash in base64. The
 * scheme does not escape the delimiter, so the caller must check each signed value's format after its signature.
 */
export function md5Sign(fields: SignedFields, key: Secret): string {
  const byName = fields instanceof Map ? (fields as ReadonlyMap<string, string>) : undefined;
  const record = fields as Readonly<Record<string, string>>;
  let joined = '';
  for (const name of inByteOrder(byName ? [...byName.keys()] : Object.keys(record)))
    joined += `${byName ? byName.get(name) : record[name]}:`;
  return hash('md5', joined + key.reveal(), 'base64');
}

/** Compares exactly and in constant time. Returns false for an empty key. */
export function verifyMd5(fields: SignedFields, key: Secret, sign: string): boolean {
  const matches = equalInConstantTime(md5Sign(fields, key), sign);
  return matches && !key.isEmpty;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The default sort compares UTF-16 units. Above the basic plane, their order differs from the order of UTF-8 bytes. */
function inByteOrder(names: string[]): string[] {
  if (!SURROGATE.test(names.join(''))) return names.sort();
  return names.sort((left, right) => Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')));
}

/**
 * The fields that the MD5 `sign` of a message covers, as data. The scheme joins values with `:` without escaping. A string is
 * unambiguous only if each message has an exact field set and no value contains a `:` (decision 1).
 */
export interface SignedSet {
  readonly mandatory: readonly string[];
  /** Covered if present. */
  readonly optional: readonly string[];
  /** The message may hold no fields beyond these and its signature. */
  readonly isClosed: boolean;
  /** The fields whose format needs a `:`, such as times and IPv6 addresses. */
  readonly withColon: ReadonlySet<string>;
}

type Rest = Partial<Omit<SignedSet, 'mandatory'>>;

/** Defaults to open, without optional fields and without colons. `rest` contains the exceptions. */
export function signedSet(mandatory: readonly string[], rest: Rest = {}): SignedSet {
  return { mandatory, optional: [], isClosed: false, withColon: new Set(), ...rest };
}

/** Returns the first covered field with a `:` that its format does not need, or undefined. */
export function fieldWithForeignColon(fields: SignedFields, { withColon }: SignedSet): string | undefined {
  const entries = fields instanceof Map ? [...fields] : Object.entries(fields);
  return entries.find(([name, text]) => text.includes(':') && !withColon.has(name))?.[0];
}

/**
 * Returns the `X-Sign` header: HMAC-SHA256 over the bytes of the entire body (decision 3). It is the base64 of the
 * *hexadecimal string*, while the MD5 `sign` is the base64 of raw bytes. It must work on bytes only, never on parsed data.
 *  Always 88 characters.
 */
export function xSign(rawBody: Buffer, key: Secret): string {
  const hex = createHmac('sha256', key.reveal()).update(rawBody).digest('hex');
  return Buffer.from(hex, 'latin1').toString('base64');
}

/** Compares in constant time. Returns false for an empty key. */
export function verifyXSign(rawBody: Buffer, key: Secret, sign: string): boolean {
  const matches = equalInConstantTime(xSign(rawBody, key), sign);
  return matches && !key.isEmpty;
}
