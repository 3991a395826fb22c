/**
 * The interface's MD5 `sign`: the scheme of payouts, status, balance, list, form, replies and callbacks (decisions,
 * Signatures). It signs the texts it is given and knows nothing of which fields a request must cover.
 */
import { hash } from 'node:crypto';
import { equalInConstantTime, Secret } from '../../foundation/secret.ts';

/** The covered fields, by name, without the signature itself. Values are the texts as received or as sent. */
export type SignedFields = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

/** Signs replies with status `Error`: it proves nothing, and `verifyMd5` never accepts it. */
export const EMPTY_KEY = new Secret('');

/**
 * Values in the byte order of their names, joined with `:`, then `:` and the key; MD5; base64 of the 16 raw bytes.
 * No delimiter is escaped, so every signed value's format has to be checked after its signature.
 */
export function md5Sign(fields: SignedFields, key: Secret): string {
  const byName = fields instanceof Map ? (fields as ReadonlyMap<string, string>) : undefined;
  const record = fields as Readonly<Record<string, string>>;
  let joined = '';
  for (const name of inByteOrder(byName ? [...byName.keys()] : Object.keys(record)))
    joined += `${byName ? byName.get(name) : record[name]}:`;
  return hash('md5', joined + key.reveal(), 'base64');
}

/** False for an empty key, whatever the signature. Compares in constant time, and exactly: base64 has one spelling here. */
export function verifyMd5(fields: SignedFields, key: Secret, sign: string): boolean {
  const matches = equalInConstantTime(md5Sign(fields, key), sign);
  return matches && !key.isEmpty;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The default sort goes by UTF-16 units, which is the order of the UTF-8 bytes until a name leaves the basic plane. */
function inByteOrder(names: string[]): string[] {
  if (!SURROGATE.test(names.join(''))) return names.sort();
  return names.sort((left, right) => Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')));
}
