/** Proposals: acts that wait for a second person. */
import { type Static, Type } from 'typebox';
import { Cursor, Limit, NO_PARAMS, nullable, pageOf, Reason, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { Rehearsal } from '../parts/rehearsals.ts';
import { POLICY_TEAM } from './policies.ts';

const ProposalActor = Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() });

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of `content`, in hexadecimal' });

export const Proposal = Type.Object({
  proposalId: Type.String(),
  state: Type.Enum(['open', 'executed', 'void', 'rejected', 'withdrawn', 'expired']),
  act: Type.String({ description: 'The name of the endpoint' }),
  object: Type.String(),
  reason: nullable(Type.String()),
  content: Type.String({ description: 'Canonical JSON of `request` and `rehearsal`. It never changes.' }),
  hash: Hash,
  request: Type.Object({
    params: Type.Unknown(),
    query: Type.Unknown(),
    body: Type.Unknown(),
    ifMatch: nullable(Type.String()),
  }),
  rehearsal: Rehearsal,
  maker: ProposalActor,
  createdAt: Time,
  expiresAt: Time,
  end: nullable(Type.Object({ at: Time, by: ProposalActor, detail: Type.String() })),
});
export type Proposal = Static<typeof Proposal>;

const NamedProposal = Type.Object({ proposalId: Type.String({ minLength: 1, maxLength: 64 }) });
const TEAM = Type.Object(POLICY_TEAM, { additionalProperties: false });

export const PROPOSAL_ENDPOINTS = defineEndpoints({
  'proposals.list': {
    method: 'GET',
    path: '/proposals',
    summary: 'List the actions that wait for a second person, newest first',
    permission: 'proposals:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      {
        ...POLICY_TEAM,
        all: Type.Optional(Type.Boolean({ default: false, description: 'Include proposals that are final' })),
        limit: Type.Optional(Limit),
        after: Type.Optional(Cursor),
      },
      { additionalProperties: false },
    ),
    answer: pageOf(Proposal),
  },
  'proposals.show': {
    method: 'GET',
    path: '/proposals/{proposalId}',
    summary: 'Show a proposal: the exact action, its dry run and its outcome',
    permission: 'proposals:read',
    audience: 'own',
    params: NamedProposal,
    query: TEAM,
    answer: Proposal,
  },
  'proposals.approve': {
    method: 'POST',
    path: '/proposals/{proposalId}/approve',
    summary: 'Approve a proposal and execute exactly its action; the maker may not approve',
    permission: 'proposals:approve',
    audience: 'own',
    stepUp: 'strongest',
    params: NamedProposal,
    query: TEAM,
    body: Type.Object({ hash: Hash }, { additionalProperties: false }),
    answer: Type.Object({
      proposal: Proposal,
      answer: Type.Unknown({
        description: 'The response of the action. Null if the proposal is void. A secret is shown only once',
      }),
    }),
  },
  'proposals.reject': {
    method: 'POST',
    path: '/proposals/{proposalId}/reject',
    summary: 'Reject another user’s proposal',
    permission: 'proposals:approve',
    audience: 'own',
    stepUp: 'strongest',
    params: NamedProposal,
    query: TEAM,
    body: Type.Object({ hash: Hash, reason: Reason }, { additionalProperties: false }),
    answer: Proposal,
  },
  'proposals.withdraw': {
    method: 'POST',
    path: '/proposals/{proposalId}/withdraw',
    summary: 'Withdraw your own proposal',
    permission: 'proposals:read',
    audience: 'own',
    params: NamedProposal,
    query: TEAM,
    answer: Proposal,
  },
});
