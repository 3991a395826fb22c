/**
 * Computes Freedom Pay's pg_sig: MD5, in lower-case hexadecimal, of the script's name, the values of all other fields in the
 * order of their names, and the secret, joined by `;`. The script is the last segment of the called URL: theirs for our
 * requests and the responses, ours for their callbacks.
 *
 * Confirmed by Freedom Pay's pages (introductions to the Gateway API and the Merchant API) and its own library for PHP: all of
 * this. Confirmed by two clients, one of which claims a test in the sandbox: payouts and queries about them have a separate
 * secret. Not confirmed: a published example with its key; whether the balance uses the same secret.
 *
 * **The signature covers neither the names nor the ends of the values.** Anyone with a signed message can assign its values to
 * other names. The gateway therefore trusts a callback only after Freedom Pay confirmed it (notifications.ts).
 */
import { createHash } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

export type PgFields = ReadonlyMap<string, string>;

const SIGNATURE = 'pg_sig';

/** Returns the last segment of a path or an address. */
export function scriptOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

export function signatureOf(script: string, fields: PgFields, secret: Secret): string {
  const names = [...fields.keys()].filter((name) => name !== SIGNATURE).sort();
  const parts = [script, ...names.map((name) => fields.get(name)), secret.reveal()];
  return createHash('md5').update(parts.join(';'), 'utf8').digest('hex');
}

export function isSigned(script: string, fields: PgFields, secret: Secret): boolean {
  return equalInConstantTime(fields.get(SIGNATURE) ?? '', signatureOf(script, fields, secret));
}

/** Returns the fields with their salt and signature, as a form. The salt only has to differ from call to call. */
export function signedForm(script: string, fields: PgFields, salt: string, secret: Secret): string {
  const salted = new Map([...fields, ['pg_salt', salt] as const]);
  return new URLSearchParams([...salted, [SIGNATURE, signatureOf(script, salted, secret)]]).toString();
}
