/**
 * The interface's MD5 `sign`, used for payouts, status, balance, list, form, replies and callbacks (decisions,
 * Signatures). It signs the given texts and must not know which fields a request has to cover.
 */
import { hash } from 'node:crypto';
import { equalInConstantTime, Secret } from '../../foundation/secret.ts';

/** The covered fields by name, without the signature. Values are the texts as received or sent. */
export type SignedFields = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** Signs replies with status `Error`. It proves nothing, and `verifyMd5` never accepts it. */
export const EMPTY_KEY = new Secret('');

/**
 * Joins the values in byte order of their names with `:`, appends `:` and the key, and returns the MD5 hash in
 * base64. The scheme escapes no delimiter, so the caller must check each signed value's format after its signature.
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

/** The default sort compares UTF-16 units. Above the basic plane, their order differs from that of UTF-8 bytes. */
function inByteOrder(names: string[]): string[] {
  if (!SURROGATE.test(names.join(''))) return names.sort();
  return names.sort((left, right) => Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')));
}
