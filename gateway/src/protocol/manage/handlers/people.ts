/** The teams of the operator and of merchants. */
import type { Invitation as InvitationView, PEOPLE_ENDPOINTS } from '../../../../contract/endpoints/people.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { Invitation } from '../../../domain/people/invitation-store.ts';
import type { PeopleParts } from '../../../domain/people/people-parts.ts';
import {
  approveReset,
  changeRole,
  endSessions,
  invitePerson,
  orderReset,
  revokeInvitation,
  type TeamRejection,
} from '../../../domain/people/team/team.ts';
import { fail, ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND, notFound } from '../problems.ts';
import { instantText, instantTextOrNull } from '../views/instant-text.ts';
import { showActorKey } from '../views/mask.ts';

export function peopleHandlers(parts: PeopleParts): HandlersOf<typeof PEOPLE_ENDPOINTS> {
  const { people, invitations, clock } = parts;
  return {
    async 'people.list'({ query: { merchantId = null } }) {
      const items = (await people.members(merchantId)).map(({ createdAt: _, since, lastSeenAt, ...member }) => ({
        ...member,
        since: instantText(since),
        lastSeenAt: instantTextOrNull(lastSeenAt),
      }));
      return ok({ answer: { items } });
    },
    async 'people.setRole'({ params: { personId }, query: { merchantId = null }, body: { role }, caller }) {
      const changed = await changeRole(parts, caller, { personId, merchantId, role });
      if (!changed.ok) return fail(teamProblem(changed.error));
      return ok({ answer: { personId, role }, change: { before: { role: changed.value.before }, after: { role } } });
    },
    async 'people.remove'({ params: { personId }, query: { merchantId = null }, caller }) {
      const removed = await changeRole(parts, caller, { personId, merchantId, role: null });
      if (!removed.ok) return fail(teamProblem(removed.error));
      return ok({ answer: { removed: true }, change: { before: { role: removed.value.before }, after: null } });
    },
    async 'people.endSessions'({ params: { personId }, query: { merchantId = null } }) {
      const ended = await endSessions(parts, { personId, merchantId });
      if (!ended.ok) return fail(teamProblem(ended.error));
      const answer = { ended: ended.value };
      return ok({ answer, change: { before: null, after: answer } });
    },
    async 'people.reset'({ params: { personId }, caller }) {
      const person = await people.find(personId);
      if (!person) return fail(teamProblem('not_a_member'));
      const { invitation, link } = await orderReset(parts, caller, person);
      const after = viewInvitation(invitation, caller);
      return ok({ answer: { ...after, link: link?.reveal() ?? null }, change: { before: null, after } });
    },
    async 'people.approveReset'({ params: { invitationId }, caller }) {
      const approved = await approveReset(parts, caller, invitationId);
      if (!approved.ok) return fail(teamProblem(approved.error));
      const invitation = viewInvitation(approved.value.invitation, caller);
      return ok({
        answer: { invitation, link: approved.value.link.reveal() },
        change: { before: null, after: invitation },
      });
    },
    async 'invitations.create'({ query: { merchantId = null }, body: { email, role }, caller }) {
      const invited = await invitePerson(parts, caller, { email, merchantId, role });
      if (!invited.ok) return fail(teamProblem(invited.error));
      const { link, mailed } = invited.value;
      const invitation = viewInvitation(invited.value.invitation, caller);
      return ok({
        answer: { invitation, link: link.reveal(), mailed },
        change: { before: null, after: invitation },
        created: `invitations/${invitation.invitationId}`,
      });
    },
    async 'invitations.list'({ query: { merchantId = null }, caller }) {
      const open = await invitations.open(merchantId, clock.now());
      return ok({ answer: { items: open.map((each) => viewInvitation(each, caller)) } });
    },
    async 'invitations.revoke'({ params: { invitationId }, query: { merchantId = null }, caller }) {
      const revoked = await revokeInvitation(parts, { merchantId, invitationId });
      if (!revoked.ok) return fail(teamProblem(revoked.error));
      const answer = viewInvitation(revoked.value, caller);
      return ok({ answer, change: { before: answer, after: { revoked: true } } });
    },
  };
}

function viewInvitation(
  { createdAt, expiresAt, ...invitation }: Invitation,
  caller: Pick<Caller, 'merchantId'>,
): InvitationView {
  const { invitationId, purpose, email, merchantId, role, invitedBy, approvedBy } = invitation;
  return {
    invitationId,
    purpose,
    email,
    merchantId,
    role,
    approvedBy,
    invitedBy: caller.merchantId === null ? invitedBy : showActorKey(invitedBy),
    createdAt: instantText(createdAt),
    expiresAt: instantText(expiresAt),
  };
}

const TEAM_PROBLEMS: Readonly<Record<TeamRejection, ManageProblem>> = {
  merchant_not_found: { ...MERCHANT_NOT_FOUND, field: 'merchantId' },
  no_such_role: { code: 'invalid-request', field: '/role', detail: 'role must be a role of this team.' },
  more_than_own: {
    code: 'forbidden',
    field: '/role',
    detail: 'You cannot assign or remove a role with permissions that you lack.',
  },
  invalid_email: { code: 'invalid-request', field: '/email', detail: 'email must be an email address.' },
  not_a_member: notFound('The team does not have this member. "gateway person list" lists its members.'),
  already_a_member: {
    code: 'already-exists',
    field: '/email',
    detail: 'This user is already in the team. Change their role instead.',
  },
  last_of_its_role: {
    code: 'rejected',
    detail:
      'The operator’s team needs at least one administrator, and a merchant’s at least one owner. Assign the role to another user first.',
  },
  no_such_invitation: notFound('The team has no open invitation or reset with this id. It may have expired.'),
  not_the_second_person: { code: 'rejected', detail: 'A second administrator must approve this.' },
};

function teamProblem(rejection: TeamRejection): ManageProblem {
  return TEAM_PROBLEMS[rejection];
}
