/** A signed-in user adds and removes their own credentials. A user without credentials could never sign in again. */
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Secret } from '../../../foundation/secret.ts';
import type { CallerSession } from '../caller.ts';
import type { PeopleParts } from '../people-parts.ts';
import { consumeChallenge, issueChallenge } from './challenge.ts';
import { hashPassword, SALT_BYTES } from './password.ts';
import { checkTotp, TOTP_SEED_BYTES, totpLink } from './totp.ts';

export type CredentialRejection = 'wrong_passkey' | 'wrong_code' | 'not_found' | 'last_credential';

export async function challengeForPasskey(parts: PeopleParts, { personId, sessionId }: CallerSession) {
  const { challengeId, bytes } = await issueChallenge(parts, 'register', sessionId);
  return { challengeId, challenge: bytes, passkeys: await parts.people.passkeys(personId) };
}

export async function addPasskey(
  parts: PeopleParts,
  { personId, sessionId }: CallerSession,
  {
    challengeId,
    attestation,
    name,
  }: { readonly challengeId: string; readonly attestation: unknown; readonly name: string },
): Promise<Result<{ readonly credentialId: string }, CredentialRejection>> {
  const challenge = await consumeChallenge(parts, challengeId, 'register', sessionId);
  const passkey = challenge && (await parts.verifier.register(attestation, challenge));
  if (!passkey) return fail('wrong_passkey');
  const added = await parts.people.addPasskey({
    ...passkey,
    personId,
    name,
    createdAt: parts.clock.now(),
    lastUsedAt: null,
  });
  return added ? ok(passkey) : fail('wrong_passkey');
}

export async function removePasskey(
  { people }: PeopleParts,
  { personId }: CallerSession,
  credentialId: string,
): Promise<Result<void, CredentialRejection>> {
  const passkeys = await people.passkeys(personId);
  if (!passkeys.some((passkey) => passkey.credentialId === credentialId)) return fail('not_found');
  if (passkeys.length === 1 && !(await people.findPassword(personId))) return fail('last_credential');
  return (await people.removePasskey(personId, credentialId)) ? ok(undefined) : fail('not_found');
}

/**
 * Returns the secret of a new authenticator app. It becomes effective once the user has set a password with one of its codes.
 */
export async function challengeForPassword(parts: PeopleParts, { personId, sessionId }: CallerSession) {
  const person = await parts.people.find(personId);
  const seed = parts.random.bytes(TOTP_SEED_BYTES);
  const { challengeId } = await issueChallenge(parts, 'password', sessionId, seed);
  return { challengeId, ...totpLink(parts, seed, person?.email ?? '') };
}

export async function setPassword(
  parts: PeopleParts,
  { personId, sessionId }: CallerSession,
  { challengeId, password, code }: { readonly challengeId: string; readonly password: Secret; readonly code: string },
): Promise<Result<void, CredentialRejection>> {
  const totpSeed = await consumeChallenge(parts, challengeId, 'password', sessionId);
  const totpStep = totpSeed && checkTotp(parts, totpSeed, code);
  if (!totpSeed || totpStep === undefined) return fail('wrong_code');
  const salt = parts.random.bytes(SALT_BYTES);
  const hash = await hashPassword(password, salt);
  await parts.people.setPassword(personId, { salt, hash, totpSeed, totpStep, changedAt: parts.clock.now() });
  return ok(undefined);
}

export async function removePassword(
  { people }: PeopleParts,
  { personId }: CallerSession,
): Promise<Result<void, CredentialRejection>> {
  if (!(await people.findPassword(personId))) return fail('not_found');
  if ((await people.passkeys(personId)).length === 0) return fail('last_credential');
  return (await people.removePassword(personId)) ? ok(undefined) : fail('not_found');
}
