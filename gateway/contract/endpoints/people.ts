/** The teams of the operator and of merchants: people, roles, invitations and resets. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, NO_QUERY, nullable, Reason, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { DRY_RUN, DRY_RUN_QUERY } from '../parts/rehearsals.ts';
import { ROLE_NAMES } from '../permissions.ts';
import { Email } from './sign-in.ts';

const TEAM = Type.Object(
  {
    merchantId: Type.Optional({
      ...MerchantId,
      description: 'The merchant of the team. By default the caller’s own team',
    }),
  },
  { additionalProperties: false },
);

const REHEARSED_TEAM = Type.Object({ ...TEAM.properties, ...DRY_RUN }, { additionalProperties: false });

const Role = Type.Enum(ROLE_NAMES, { description: 'A role of a merchant’s team, or of the operator’s' });

const PersonId = Type.Object({ personId: Type.String({ minLength: 1, maxLength: 64 }) });
const InvitationId = Type.Object({ invitationId: Type.String({ minLength: 1, maxLength: 64 }) });

const Member = Type.Object({
  personId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  since: Time,
  lastSeenAt: nullable(Time),
});

export const Invitation = Type.Object({
  invitationId: Type.String(),
  purpose: Type.Enum(['join', 'reset']),
  email: nullable(Type.String()),
  merchantId: nullable(MerchantId),
  role: nullable(Type.String()),
  invitedBy: Type.String({
    description:
      'The kind and the id of the actor. Merchants see “operator” if the operator’s command line on the server acted',
  }),
  approvedBy: Type.Union([Type.String(), Type.Null()], { description: 'The administrator who approved a reset' }),
  createdAt: Time,
  expiresAt: Time,
});
export type Invitation = Static<typeof Invitation>;

const Link = Type.String({ description: 'The single-use link, shown only once. Give it to the user.' });
const BecauseOf = Type.Object({ reason: Reason }, { additionalProperties: false });

export const PEOPLE_ENDPOINTS = defineEndpoints({
  'people.list': {
    method: 'GET',
    path: '/people',
    summary: 'List a team’s users with their roles',
    permission: 'people:read',
    audience: 'own',
    params: NO_PARAMS,
    query: TEAM,
    answer: Type.Object({ items: Type.Array(Member) }),
    command: 'person list',
  },
  'people.setRole': {
    method: 'PUT',
    path: '/people/{personId}/role',
    summary: 'Change a user’s role, effective immediately',
    permission: 'people:write',
    audience: 'own',
    rehearsal: 'rule',
    stepUp: true,
    params: PersonId,
    query: REHEARSED_TEAM,
    body: Type.Object({ role: Role, reason: Reason }, { additionalProperties: false }),
    answer: Type.Object({ personId: Type.String(), role: Type.String() }),
    command: 'person role',
  },
  'people.remove': {
    method: 'POST',
    path: '/people/{personId}/remove',
    summary: 'Remove a user from a team and end their sessions there immediately',
    permission: 'people:write',
    audience: 'own',
    rehearsal: 'rule',
    stepUp: true,
    params: PersonId,
    query: REHEARSED_TEAM,
    body: BecauseOf,
    answer: Type.Object({ removed: Type.Boolean() }),
    command: 'person remove',
  },
  'people.endSessions': {
    method: 'POST',
    path: '/people/{personId}/end-sessions',
    summary: 'End a user’s sessions in a team now; the user can sign in again',
    permission: 'people:write',
    audience: 'own',
    params: PersonId,
    query: TEAM,
    body: BecauseOf,
    answer: Type.Object({ ended: Type.Integer({ description: 'The number of sessions that were open' }) }),
    command: 'person end-sessions',
  },
  'people.reset': {
    method: 'POST',
    path: '/people/{personId}/reset',
    summary: 'Propose to replace all of a user’s credentials; a second administrator approves',
    permission: 'people:write',
    audience: 'operator',
    rehearsal: 'rule',
    stepUp: true,
    params: PersonId,
    query: DRY_RUN_QUERY,
    body: BecauseOf,
    answer: Type.Object({
      ...Invitation.properties,
      link: Type.Union([Link, Type.Null()], {
        description:
          'Null if a second administrator must approve first: the approval then returns the link. The command line on the server does not need an approval.',
      }),
    }),
    secretFields: ['link'],
    command: 'person reset',
  },
  'people.approveReset': {
    method: 'POST',
    path: '/resets/{invitationId}/approve',
    summary: 'Approve the reset that another administrator proposed; the response contains its link once',
    permission: 'people:write',
    audience: 'operator',
    stepUp: true,
    params: InvitationId,
    query: NO_QUERY,
    body: BecauseOf,
    answer: Type.Object({ invitation: Invitation, link: Link }),
    secretFields: ['link'],
  },
  'invitations.create': {
    method: 'POST',
    path: '/invitations',
    summary: 'Invite a user to a team; the response contains the link once',
    permission: 'people:write',
    audience: 'own',
    rehearsal: 'rule',
    stepUp: true,
    params: NO_PARAMS,
    query: REHEARSED_TEAM,
    body: Type.Object({ email: Email, role: Role, reason: Reason }, { additionalProperties: false }),
    answer: Type.Object({
      invitation: Invitation,
      link: Link,
      mailed: Type.Boolean({ description: 'True if the gateway also sent the link by email' }),
    }),
    secretFields: ['link'],
    command: 'person invite',
  },
  'invitations.list': {
    method: 'GET',
    path: '/invitations',
    summary: 'List the open invitations of a team, newest first',
    permission: 'people:read',
    audience: 'own',
    params: NO_PARAMS,
    query: TEAM,
    answer: Type.Object({ items: Type.Array(Invitation) }),
    command: 'person invitations',
  },
  'invitations.revoke': {
    method: 'POST',
    path: '/invitations/{invitationId}/revoke',
    summary: 'Revoke an open invitation',
    permission: 'people:write',
    audience: 'own',
    params: InvitationId,
    query: TEAM,
    answer: Invitation,
    command: 'person revoke-invitation',
  },
});
