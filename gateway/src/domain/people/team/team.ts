/** The team of a merchant or of the operator: invitations, roles, removals and resets of credentials. */

import type { MerchantId } from '../../../foundation/identifiers.ts';
import { randomAlphanumeric } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { Secret } from '../../../foundation/secret.ts';
import { mayHaveTeam } from '../../merchants/merchant-directory.ts';
import { type Caller, mayUse, peopleBehind } from '../caller.ts';
import type { Invitation } from '../invitation-store.ts';
import type { PeopleParts } from '../people-parts.ts';
import { isSamePerson, type Membership, type Person, readEmail } from '../person.ts';
import { hashSecret } from '../tokens/api-token.ts';
import { INVITATION_ID_LENGTH, INVITATION_VALID_MS, isOpen, LINK_SECRET_LENGTH, linkOf } from './invitation.ts';

export type TeamRejection =
  | 'merchant_not_found'
  | 'no_such_role'
  | 'more_than_own'
  | 'invalid_email'
  | 'not_a_member'
  | 'already_a_member'
  | 'last_of_its_role'
  | 'no_such_invitation'
  | 'not_the_second_person';

/** The role that at least one user must always have, so that the team is not locked out. */
const KEPT_ROLES = { operator: 'administrator', merchant: 'owner' } as const;

export const keptRoleOf = (merchantId: MerchantId | null) =>
  merchantId === null ? KEPT_ROLES.operator : KEPT_ROLES.merchant;

type Inviter = Pick<Caller, 'actor' | 'session' | 'createdBy' | 'shownTo'>;

const actorOfPerson = (personId: string) => `person:${personId}`;

export interface InvitationOrder {
  /** Null for the first administrator, who enters it. */
  readonly email: string | null;
  readonly merchantId: MerchantId | null;
  readonly role: string;
}

export interface Invited {
  readonly invitation: Invitation;
  /** The link is shown only once. */
  readonly link: Secret;
  readonly mailed: boolean;
}

export async function invitePerson(
  parts: PeopleParts,
  caller: Inviter & Pick<Caller, 'permissions'>,
  { email: written, merchantId, role }: InvitationOrder,
): Promise<Result<Invited, TeamRejection>> {
  const email = written === null ? null : readEmail(written);
  if (email === undefined) return fail('invalid_email');
  if (merchantId !== null && !(await mayHaveTeam(parts.merchants, merchantId))) return fail('merchant_not_found');
  const rejection = rejectRole(parts, caller, merchantId, role);
  if (rejection) return fail(rejection);
  const known = email === null ? undefined : await parts.people.findByEmail(email);
  if (known && (await membershipOf(parts, known.personId, merchantId))) return fail('already_a_member');
  const secret = newSecret(parts);
  const invitation = newInvitation(parts, caller, { purpose: 'join', email, merchantId, role });
  await parts.invitations.add(invitation, hashSecret(secret.reveal()));
  const link = linkOf(parts.site.origin, secret);
  return ok({ invitation, link, mailed: await mailLink(parts, email, link) });
}

/** A user can grant or remove only a role whose permissions they have. */
function rejectRole(
  { permissionsOf }: Pick<PeopleParts, 'permissionsOf'>,
  caller: Pick<Caller, 'permissions'>,
  merchantId: MerchantId | null,
  role: string,
): TeamRejection | undefined {
  const permissions = permissionsOf(merchantId, role);
  if (!permissions) return 'no_such_role';
  return [...permissions].every((permission) => mayUse(caller, permission)) ? undefined : 'more_than_own';
}

async function membershipOf(
  { people }: Pick<PeopleParts, 'people'>,
  personId: string,
  merchantId: MerchantId | null,
): Promise<Membership | undefined> {
  return (await people.memberships(personId)).find((each) => each.merchantId === merchantId);
}

/** If `role` is null, removes the user from the team. A session that acts for it has the new role at its next request. */
export async function changeRole(
  parts: PeopleParts,
  caller: Pick<Caller, 'permissions'>,
  {
    personId,
    merchantId,
    role,
  }: { readonly personId: string; readonly merchantId: MerchantId | null; readonly role: string | null },
): Promise<Result<{ readonly before: string }, TeamRejection>> {
  const membership = await membershipOf(parts, personId, merchantId);
  if (!membership) return fail('not_a_member');
  const isKnown = parts.permissionsOf(merchantId, membership.role) !== undefined;
  const rejection =
    (isKnown ? rejectRole(parts, caller, merchantId, membership.role) : undefined) ??
    (role === null ? undefined : rejectRole(parts, caller, merchantId, role));
  if (rejection) return fail(rejection);
  const change = { personId, merchantId, role, keeps: keptRoleOf(merchantId), at: parts.clock.now() };
  const changed = await parts.people.changeRole(change);
  return changed ? ok({ before: membership.role }) : fail('last_of_its_role');
}

/** Signs a member out of the team everywhere. Resolves to the number of sessions. */
export async function endSessions(
  parts: PeopleParts,
  { personId, merchantId }: { readonly personId: string; readonly merchantId: MerchantId | null },
): Promise<Result<number, TeamRejection>> {
  if (!(await membershipOf(parts, personId, merchantId))) return fail('not_a_member');
  return ok(await parts.sessions.endOfTeam(personId, merchantId, parts.clock.now()));
}

/** Requests new credentials for a user. A second administrator approves; the command line needs no approval. */
export async function orderReset(
  parts: PeopleParts,
  caller: Inviter,
  person: Person,
): Promise<{ readonly invitation: Invitation; readonly link: Secret | null }> {
  const isEmergency = caller.actor.kind === 'emergency';
  const invitation = newInvitation(parts, caller, {
    purpose: 'reset',
    email: person.email,
    merchantId: null,
    role: null,
  });
  const approved = { ...invitation, approvedBy: isEmergency ? invitation.invitedBy : null };
  const secret = isEmergency ? newSecret(parts) : null;
  await parts.invitations.add(approved, secret && hashSecret(secret.reveal()));
  return { invitation: approved, link: secret && linkOf(parts.site.origin, secret) };
}

/** The link is shown to the second administrator, who forwards it. */
export async function approveReset(
  parts: PeopleParts,
  { actor }: Pick<Caller, 'actor'>,
  invitationId: string,
): Promise<Result<{ readonly invitation: Invitation; readonly link: Secret }, TeamRejection>> {
  const invitation = await parts.invitations.find(invitationId);
  const now = parts.clock.now();
  if (invitation?.purpose !== 'reset' || !isOpen(invitation, now) || invitation.approvedBy !== null)
    return fail('no_such_invitation');
  const approvedBy = `${actor.kind}:${actor.id}`;
  const approver = actor.kind === 'person' ? await parts.people.find(actor.id) : undefined;
  if (!approver || (await isBehind(parts, invitation, approver))) return fail('not_the_second_person');
  const secret = newSecret(parts);
  if (!(await parts.invitations.approve(invitationId, approvedBy, hashSecret(secret.reveal()), now)))
    return fail('no_such_invitation');
  return ok({ invitation: { ...invitation, approvedBy }, link: linkOf(parts.site.origin, secret) });
}

/** True for the user who proposed it, with any of their accounts or tokens. */
async function isBehind({ people }: PeopleParts, { invitedPeople }: Invitation, approver: Person): Promise<boolean> {
  const behind = await Promise.all(invitedPeople.map((each) => people.find(each.replace(/^person:/, ''))));
  return behind.some((each) => each === undefined || isSamePerson(each, approver));
}

export async function revokeInvitation(
  parts: PeopleParts,
  { merchantId, invitationId }: { readonly merchantId: MerchantId | null; readonly invitationId: string },
): Promise<Result<Invitation, TeamRejection>> {
  const invitation = await parts.invitations.find(invitationId);
  if (invitation?.merchantId !== merchantId) return fail('no_such_invitation');
  const at = parts.clock.now();
  return (await parts.invitations.revoke(invitationId, at))
    ? ok({ ...invitation, revokedAt: at })
    : fail('no_such_invitation');
}

function newSecret({ random }: Pick<PeopleParts, 'random'>): Secret {
  return new Secret(randomAlphanumeric(random, LINK_SECRET_LENGTH));
}

function newInvitation(
  { random, clock }: Pick<PeopleParts, 'random' | 'clock'>,
  caller: Inviter,
  order: Pick<Invitation, 'purpose' | 'email' | 'merchantId' | 'role'>,
): Invitation {
  const { actor } = caller;
  const createdAt = clock.now();
  return {
    invitationId: randomAlphanumeric(random, INVITATION_ID_LENGTH),
    ...order,
    invitedBy: `${actor.kind}:${actor.id}`,
    invitedPeople: peopleBehind(caller).map(actorOfPerson),
    approvedBy: null,
    createdAt,
    expiresAt: createdAt + INVITATION_VALID_MS,
    acceptedAt: null,
    revokedAt: null,
  };
}

function mailLink(
  { mail, site }: Pick<PeopleParts, 'mail' | 'site'>,
  to: string | null,
  link: Secret,
): Promise<boolean> {
  if (to === null) return Promise.resolve(false);
  const text = [
    `You are invited to ${site.name}.`,
    `Open this link within 48 hours, and create a passkey: ${link.reveal()}`,
    'The link works once. If you did not expect it, ignore this message.',
  ].join('\n\n');
  return mail({ to, subject: `Invitation to ${site.name}`, text });
}
