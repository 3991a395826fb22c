/**
 * Signatures of users: a signed-in user confirms exactly one action, which a hash of 32 bytes names. A passkey signs `nonce
 * ‖ hash`, so the signature proves later that the user agreed to this action. A code of the authenticator app only confirms
 * that the user is present.
 */
import type { CallerSession } from '../caller.ts';
import type { PeopleStore } from '../people-store.ts';
import { userHandleOf } from '../person.ts';
import { type ChallengeParts, consumeChallenge, issueChallenge } from './challenge.ts';
import { clearSecretAttempts, countSecretAttempt, type LockoutParts } from './lockout.ts';
import type { PasskeyVerifier, VerifiedAssertion } from './passkey-verifier.ts';
import { checkTotp, type TotpParts } from './totp.ts';

export interface SignParts extends ChallengeParts, LockoutParts, TotpParts {
  readonly people: PeopleStore;
  readonly verifier: PasskeyVerifier;
}

export type SignatureProof =
  | { readonly kind: 'passkey'; readonly challengeId: string; readonly assertion: unknown }
  | { readonly kind: 'totp'; readonly code: string };

interface PasskeySignature {
  readonly kind: 'passkey';
  readonly credentialId: string;
  /** The nonce of 16 bytes and then the hash, in base64url. */
  readonly challenge: string;
  /** The public key in COSE format, as base64url. */
  readonly publicKey: string;
  readonly evidence: VerifiedAssertion['evidence'];
}

export type Signature = PasskeySignature | { readonly kind: 'totp'; readonly step: number };

const NONCE_BYTES = 16;

/** Returns the challenge that a passkey of the session’s user must sign, and the passkeys that may sign it. */
export async function challengeToSign(parts: SignParts, session: CallerSession, hash: Buffer) {
  const bytes = Buffer.concat([parts.random.bytes(NONCE_BYTES), hash]);
  const { challengeId } = await issueChallenge(parts, 'sign', session.sessionId, bytes);
  const passkeys = await parts.people.passkeys(session.personId);
  return { challengeId, challenge: bytes, passkeys };
}

/** Returns undefined if the proof is invalid, was used before, or belongs to a different action, session or user. */
export async function verifySignature(
  parts: SignParts,
  session: CallerSession,
  hash: Buffer,
  proof: SignatureProof,
): Promise<Signature | undefined> {
  return proof.kind === 'passkey'
    ? signedByPasskey(parts, session, hash, proof)
    : confirmedByTotp(parts, session, proof.code);
}

/** Returns the signature of an approval, which needs a passkey, or undefined if this user did not sign this hash. */
async function signedByPasskey(
  parts: SignParts,
  session: CallerSession,
  hash: Buffer,
  { challengeId, assertion }: Extract<SignatureProof, { kind: 'passkey' }>,
): Promise<PasskeySignature | undefined> {
  const challenge = await consumeChallenge(parts, challengeId, 'sign', session.sessionId);
  if (!challenge?.subarray(NONCE_BYTES).equals(hash)) return undefined;
  const signed = await checkPasskey(parts, assertion, challenge);
  if (signed?.personId !== session.personId) return undefined;
  const { credentialId, publicKey, evidence } = signed;
  return {
    kind: 'passkey',
    credentialId,
    evidence,
    challenge: challenge.toString('base64url'),
    publicKey: publicKey.toString('base64url'),
  };
}

/** Returns the passkey that signed this challenge, or undefined if none did, or if a copy did. */
export async function checkPasskey(
  { people, verifier, clock }: Pick<SignParts, 'people' | 'verifier' | 'clock'>,
  assertion: unknown,
  challenge: Buffer,
) {
  const credentialId = verifier.readCredentialId(assertion);
  const passkey = credentialId === undefined ? undefined : await people.findPasskey(credentialId);
  const verified = passkey && (await verifier.verify(assertion, challenge, passkey));
  if (!passkey || !verified) return undefined;
  if (verified.userHandle !== null && verified.userHandle !== userHandleOf(passkey.personId)) return undefined;
  if (!(await people.countPasskey(passkey.credentialId, verified.counter, clock.now()))) return undefined;
  return { ...passkey, evidence: verified.evidence };
}

async function confirmedByTotp(
  parts: SignParts,
  { personId }: CallerSession,
  code: string,
): Promise<Signature | undefined> {
  const person = await parts.people.find(personId);
  if (!person || !(await countSecretAttempt(parts, 'code', person.email))) return undefined;
  const password = await parts.people.findPassword(personId);
  const step = password && checkTotp(parts, password.totpSeed, code);
  if (step === undefined || !(await parts.people.useTotpStep(personId, step))) return undefined;
  await clearSecretAttempts(parts, 'code', person.email);
  return { kind: 'totp', step };
}
