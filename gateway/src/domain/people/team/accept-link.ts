/** Accepting a single-use link: a new user creates a passkey and joins; a known user joins or replaces all credentials. */
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Secret } from '../../../foundation/secret.ts';
import type { Invitation } from '../invitation-store.ts';
import { actorOf, type PeopleParts, recordEvent, type Visit } from '../people-parts.ts';
import { type Person, readEmail } from '../person.ts';
import { consumeChallenge, issueChallenge } from '../sign-in/challenge.ts';
import type { StartedSession } from '../sign-in/session.ts';
import { enter } from '../sign-in/sign-in.ts';
import { hashSecret } from '../tokens/api-token.ts';
import { isOpen } from './invitation.ts';

export type LinkRejection =
  | 'no_such_link'
  | 'sign_in_first'
  | 'already_a_member'
  | 'other_person'
  | 'invalid_email'
  | 'wrong_passkey';

interface OpenLink {
  readonly invitation: Invitation;
  /** The user for whom the link is, if the gateway knows them. */
  readonly person: Person | undefined;
}

/** Resolves to undefined if the link was used or revoked, or has expired. */
export async function findLink(
  { invitations, people, clock }: Pick<PeopleParts, 'invitations' | 'people' | 'clock'>,
  secret: Secret,
): Promise<OpenLink | undefined> {
  const invitation = await invitations.findBySecret(hashSecret(secret.reveal()));
  if (!invitation || !isOpen(invitation, clock.now())) return undefined;
  const { email } = invitation;
  return { invitation, person: email === null ? undefined : await people.findByEmail(email) };
}

/** Returns the challenge for the new passkey, and the user to whom it will belong. */
export async function challengeOfLink(parts: PeopleParts, secret: Secret) {
  const found = await findLink(parts, secret);
  if (!found) return undefined;
  const { invitation, person } = found;
  const { challengeId, bytes } = await issueChallenge(parts, 'register', `link:${invitation.invitationId}`);
  return { challengeId, challenge: bytes, personId: personIdOf(found), email: invitation.email, name: person?.name };
}

/** A new user gets the id of their invitation, so that the device can name them before they exist. */
function personIdOf({ invitation, person }: OpenLink): string {
  return person?.personId ?? invitation.invitationId;
}

interface Acceptance {
  readonly secret: Secret;
  readonly challengeId: string;
  readonly attestation: unknown;
  readonly name: string;
  /** Only for the first administrator, whose invitation contains no address. */
  readonly email: string | null;
  readonly passkeyName: string;
}

export async function acceptLink(
  parts: PeopleParts,
  visit: Visit,
  { secret, challengeId, attestation, name, email: stated, passkeyName }: Acceptance,
): Promise<Result<StartedSession, LinkRejection>> {
  const found = await findLink(parts, secret);
  if (!found) return fail('no_such_link');
  const { invitation, person: known } = found;
  if (await mustSignIn(parts, found)) return fail('sign_in_first');
  const email = invitation.email ?? readEmail(stated ?? '');
  if (email === undefined) return fail('invalid_email');
  if (stated !== null && readEmail(stated) !== email) return fail('other_person');
  const challenge = await consumeChallenge(parts, challengeId, 'register', `link:${invitation.invitationId}`);
  const passkey = challenge && (await parts.verifier.register(attestation, challenge));
  if (!passkey || (await parts.people.findPasskey(passkey.credentialId))) return fail('wrong_passkey');
  const at = parts.clock.now();
  const person = known ?? { personId: personIdOf(found), email, name, createdAt: at };
  if (!known && (await parts.people.findByEmail(email))) return fail('sign_in_first');
  const accepted = await parts.together<Invitation, LinkRejection>(async (inside) => {
    if (!(await inside.invitations.accept(invitation.invitationId, at))) return fail('no_such_link');
    if (!known && !(await inside.people.add(person))) return fail('sign_in_first');
    await inside.people.resetCredentials(person.personId, { ...passkey, name: passkeyName }, at);
    // A concurrent request, which held the lock on the user's credentials, may have accepted another link of this user.
    if (await mustSignIn(inside, found)) return fail('sign_in_first');
    if (invitation.purpose === 'join') await join(inside, invitation, person);
    await recordAcceptance(inside, visit, invitation, person);
    return ok(invitation);
  });
  if (!accepted.ok) return accepted;
  const started = await enter(parts, visit, person, 'link');
  return started ? ok(started) : fail('no_such_link');
}

/** A link does not grant the roles that its user has in other teams. */
async function mustSignIn({ people }: PeopleParts, { invitation, person }: OpenLink): Promise<boolean> {
  return (
    invitation.purpose === 'join' && person !== undefined && (await people.memberships(person.personId)).length > 0
  );
}

/** A signed-in user accepts another role. */
export async function joinByLink(
  parts: PeopleParts,
  visit: Visit,
  personId: string,
  secret: Secret,
): Promise<Result<Invitation, LinkRejection>> {
  const found = await findLink(parts, secret);
  if (found?.invitation.purpose !== 'join') return fail('no_such_link');
  const { invitation, person } = found;
  if (person?.personId !== personId) return fail('other_person');
  const memberships = await parts.people.memberships(personId);
  if (memberships.some(({ merchantId }) => merchantId === invitation.merchantId)) return fail('already_a_member');
  return parts.together<Invitation, LinkRejection>(async (inside) => {
    if (!(await inside.invitations.accept(invitation.invitationId, inside.clock.now()))) return fail('no_such_link');
    await join(inside, invitation, person);
    await recordAcceptance(inside, visit, invitation, person);
    return ok(invitation);
  });
}

function join({ people, clock }: PeopleParts, { merchantId, role }: Invitation, { personId }: Person): Promise<void> {
  return people.setRole(personId, { merchantId, role: role ?? '', since: clock.now() });
}

function recordAcceptance(parts: PeopleParts, visit: Visit, invitation: Invitation, person: Person): Promise<void> {
  const { invitationId, purpose, merchantId, role } = invitation;
  return recordEvent(parts, visit, {
    act: 'link',
    phase: 'done',
    actor: actorOf(person),
    merchantId,
    object: `people/${person.personId}`,
    detail: { invitationId, purpose, role },
  });
}
