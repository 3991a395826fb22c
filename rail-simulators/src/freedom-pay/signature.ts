/**
 * pg_sig, which authenticates Freedom Pay and its client: MD5 over the script, the values in order of their names, and the
 * secret.
 */
import { createHash } from 'node:crypto';
import { isSame } from '../kernel/credentials.ts';

export type Fields = Readonly<Record<string, string>>;

export function signatureOf(script: string, fields: Fields, secret: string): string {
  const values = Object.entries(fields)
    .filter(([name]) => name !== 'pg_sig')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value);
  return createHash('md5')
    .update([script, ...values, secret].join(';'))
    .digest('hex');
}

export function isSigned(script: string, fields: Fields, secret: string): boolean {
  return isSame(fields['pg_sig'], signatureOf(script, fields, secret));
}

/** How a response is signed. A fault may make the signature wrong or omit it. */
export type Signing = 'right' | 'wrong' | 'none';

export function signed(script: string, fields: Fields, secret: string, signing: Signing): Fields {
  if (signing === 'none') return fields;
  const salted = { ...fields, pg_salt: createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16) };
  return { ...salted, pg_sig: signatureOf(script, salted, signing === 'right' ? secret : `not ${secret}`) };
}
