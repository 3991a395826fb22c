/** Recovery codes: ten single-use secrets for a user who lost their devices. */
import { createHash } from 'node:crypto';
import { type Random, randomAlphanumeric } from '../../../foundation/random.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { PeopleStore } from '../people-store.ts';

const CODES = 10;
const CODE_LENGTH = 16;

/** Creates new codes, which are shown only once. Earlier codes become invalid. */
export async function createRecoveryCodes(
  { people, random }: { readonly people: PeopleStore; readonly random: Random },
  personId: string,
): Promise<readonly Secret[]> {
  const codes = Array.from({ length: CODES }, () => randomAlphanumeric(random, CODE_LENGTH));
  await people.replaceRecoveryCodes(personId, codes.map(hashRecoveryCode));
  return codes.map((code) => new Secret(code.replace(/(.{4})(?=.)/g, '$1-')));
}

/** Users may omit the dashes. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '')).digest();
}
