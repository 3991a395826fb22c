/**
 * Secrets that authenticate requests to a payer's page without cookies, which a frame on another site does not have. Each is a
 * keyed hash over the page's token. The gateway therefore stores nothing, and a secret that leaks in one place is useless in
 * another.
 */
import { equalInConstantTime, Secret } from '../../../foundation/secret.ts';
import type { FormParts } from '../form-visit.ts';

type Keys = Pick<FormParts, 'keyedHash'>;

/** Returns the secret in each form of the page. It proves that the POST comes from a page of the gateway. */
export function csrfToken({ keyedHash }: Keys, token: string): string {
  return keyedHash(new Secret(`form-csrf/${token}`)).toString('base64url');
}

export function isCsrfToken(keys: Keys, token: string, given: string): boolean {
  return equalInConstantTime(csrfToken(keys, token), given);
}

/** Returns the secret in the return URL for the bank. It proves that the address belongs to this attempt of this payer. */
export function returnSecret({ keyedHash }: Keys, token: string, reference: string): string {
  return keyedHash(new Secret(`form-return/${token}/${reference}`)).toString('base64url');
}

export function isReturnSecret(keys: Keys, token: string, reference: string, given: string): boolean {
  return equalInConstantTime(returnSecret(keys, token, reference), given);
}
