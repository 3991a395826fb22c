/**
 * Signing in: with a passkey, a password and a code, a recovery code, or at an OpenID Connect provider. Every failure gets the
 * same response, and takes as long for an unknown user as for a known one.
 */
import { createHash } from 'node:crypto';
import { Secret } from '../../../foundation/secret.ts';
import type { SignInWay } from '../caller.ts';
import { actorOf, type PeopleParts, recordEvent, recordFailedSignIn, type Visit } from '../people-parts.ts';
import { type Person, readEmail } from '../person.ts';
import { consumeChallenge, issueChallenge } from './challenge.ts';
import { clearSecretAttempts, countSecretAttempt } from './lockout.ts';
import { isPassword, NO_PASSWORD } from './password.ts';
import { checkPasskey } from './person-signature.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { type StartedSession, startSession } from './session.ts';
import { checkTotp } from './totp.ts';

/** Resolves to undefined if the sign-in failed. The log then contains the failure. */
type SignedIn = Promise<StartedSession | undefined>;

/** Returns a challenge that any passkey of this site may answer: the device knows its user. */
export async function challengeToSignIn(parts: PeopleParts) {
  const { challengeId, bytes } = await issueChallenge(parts, 'sign_in', '');
  return { challengeId, challenge: bytes };
}

export async function signInByPasskey(
  parts: PeopleParts,
  visit: Visit,
  { challengeId, assertion }: { readonly challengeId: string; readonly assertion: unknown },
): SignedIn {
  const challenge = await consumeChallenge(parts, challengeId, 'sign_in', '');
  const passkey = challenge && (await checkPasskey(parts, assertion, challenge));
  const person = passkey && (await parts.people.find(passkey.personId));
  return enter(parts, visit, person, 'passkey');
}

export async function signInByPassword(
  parts: PeopleParts,
  visit: Visit,
  { email: written, password, code }: { readonly email: string; readonly password: Secret; readonly code: string },
): SignedIn {
  const email = readEmail(written) ?? '';
  const isClosed = !(await countSecretAttempt(parts, 'password', email));
  const person = await parts.people.findByEmail(email);
  // Even for an unknown address the gateway looks up and hashes, so that the response takes the same time.
  const known = await parts.people.findPassword(person?.personId ?? '');
  const isRight = await isPassword(password, known ?? NO_PASSWORD);
  const step = known && checkTotp(parts, known.totpSeed, code);
  // A correct code is used up only with the correct password. Otherwise an attacker could use up another user’s codes.
  const isProved = !isClosed && person && isRight && step !== undefined;
  if (!isProved || !(await parts.people.useTotpStep(person.personId, step)))
    return enter(parts, visit, undefined, 'password', email);
  await clearSecretAttempts(parts, 'password', email);
  return enter(parts, visit, person, 'password');
}

export async function signInByRecoveryCode(
  parts: PeopleParts,
  visit: Visit,
  { email: written, code }: { readonly email: string; readonly code: string },
): SignedIn {
  const email = readEmail(written) ?? '';
  const isOpen = await countSecretAttempt(parts, 'recovery', email);
  const person = await parts.people.findByEmail(email);
  const isUsed =
    isOpen && (await parts.people.useRecoveryCode(person?.personId ?? '', hashRecoveryCode(code), parts.clock.now()));
  if (!isUsed) return enter(parts, visit, undefined, 'recovery', email);
  await clearSecretAttempts(parts, 'recovery', email);
  return enter(parts, visit, person, 'recovery');
}

/** The sign-in at the provider belongs to one browser, which stores the binding in a cookie. */
export async function startOpenId(
  parts: PeopleParts,
): Promise<{ readonly url: string; readonly binding: Secret } | undefined> {
  const started = await parts.identityProvider?.start();
  if (!started) return undefined;
  const binding = parts.random.bytes(32).toString('base64url');
  const bytes = Buffer.from(JSON.stringify(started.secrets));
  const { challengeId } = await issueChallenge(parts, 'openid', hashOf(binding), bytes);
  return { url: started.url, binding: new Secret(`${challengeId}.${binding}`) };
}

/** Only invited operator users can sign in this way. */
export async function signInByOpenId(
  parts: PeopleParts,
  visit: Visit,
  { query, binding }: { readonly query: string; readonly binding: Secret | null },
): SignedIn {
  const [challengeId = '', secret = ''] = binding?.reveal().split('.') ?? [];
  const bytes = await consumeChallenge(parts, challengeId, 'openid', hashOf(secret));
  const identity = bytes && (await parts.identityProvider?.finish(query, JSON.parse(bytes.toString())));
  if (!identity) return enter(parts, visit, undefined, 'openid');
  const { issuer, subject, verifiedEmail } = identity;
  const linked = await parts.people.findIdentity(issuer, subject);
  if (linked) return enter(parts, visit, linked, 'openid', linked.email);
  const person = verifiedEmail === null ? undefined : await parts.people.findByEmail(verifiedEmail);
  const isLinked =
    person &&
    (await isOperators(parts, person)) &&
    (await parts.people.linkIdentity(person.personId, issuer, subject, parts.clock.now()));
  return enter(parts, visit, isLinked ? person : undefined, 'openid', verifiedEmail ?? '');
}

/** An account at the provider is linked to one user: a later role at the operator needs a separate sign-in. */
async function isOperators({ people }: PeopleParts, { personId }: Person): Promise<boolean> {
  return (await people.memberships(personId)).some(({ merchantId }) => merchantId === null);
}

/** Starts the session of a user who proved their identity, for their first membership. */
export async function enter(
  parts: PeopleParts,
  visit: Visit,
  person: Person | undefined,
  way: SignInWay,
  claimed = '',
): SignedIn {
  const memberships = person ? await parts.people.memberships(person.personId) : [];
  const [first] = way === 'openid' ? memberships.filter(({ merchantId }) => merchantId === null) : memberships;
  if (!person || !first) {
    await recordFailedSignIn(parts, visit, way, person?.email ?? claimed);
    return undefined;
  }
  const started = await startSession(parts, person, first, { ...visit, way });
  await recordEvent(parts, visit, {
    act: 'sign-in',
    phase: 'done',
    actor: actorOf(person),
    merchantId: first.merchantId,
    object: `sessions/${started.session.sessionId}`,
    detail: { way },
  });
  return started;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
