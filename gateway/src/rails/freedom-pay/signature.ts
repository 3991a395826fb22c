/**
 * Freedom Pay's pg_sig: MD5, in lower-case hexadecimal, of the script's name, the values of all other fields in the order of
 * their names, and the secret, with `;` between them. The script is the last segment of the address that is called: of theirs
 * for what we ask and its answer, of ours for what they tell.
 *
 * Confirmed by Freedom Pay's pages (introductions to the Gateway API and the Merchant API) and its own library for PHP: all
 * of this. By two clients, one of which says that it tried it in the sandbox: payouts and questions about them take a secret
 * of their own. Not confirmed: a published example with its key; whether the balance takes the same secret.
 *
 * **The names are not under the signature, nor is where one value ends and the next begins.** Whoever has one signed message
 * can give its values other names, so what is told without being asked for is believed only once they were asked
 * (notifications.ts).
 */
import { createHash } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';

export type PgFields = ReadonlyMap<string, string>;

const SIGNATURE = 'pg_sig';

/** The last segment of a path or an address. */
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

/** The fields with their salt and signature, as a form. The salt differs from call to call, which is all that it is for. */
export function signedForm(script: string, fields: PgFields, salt: string, secret: Secret): string {
  const salted = new Map([...fields, ['pg_salt', salt] as const]);
  return new URLSearchParams([...salted, [SIGNATURE, signatureOf(script, salted, secret)]]).toString();
}
