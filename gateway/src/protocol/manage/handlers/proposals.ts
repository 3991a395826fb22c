/** Proposals: actions that wait for a second person, and the decisions about them. */

import type { PROPOSAL_ENDPOINTS } from '../../../../contract/endpoints/proposals.ts';
import { ENDPOINTS } from '../../../../contract/endpoints.ts';
import type { Endpoint } from '../../../../contract/parts/endpoint.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { OPERATOR_MERCHANT } from '../../../domain/merchants/merchant.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { PeopleParts } from '../../../domain/people/people-parts.ts';
import { isSamePerson, mailboxOf, type Person } from '../../../domain/people/person.ts';
import { permissionsOfToken } from '../../../domain/people/tokens/api-token.ts';
import {
  isSecondPerson,
  type Proposal,
  type ProposalEnd,
  type ProposalRecord,
} from '../../../domain/proposals/proposal.ts';
import { PROPOSAL_TRANSITIONS, stateOfProposal } from '../../../domain/proposals/proposal-transitions.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { RunInTransaction } from '../acts/act-transaction.ts';
import { executeInside, teamOf } from '../acts/two-people.ts';
import type { Answered, HandlersOf, ManageRequest } from '../handler.ts';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import { INVALID_CURSOR, type ManageProblem, NOT_FOUND } from '../problems.ts';
import { actorsShownTo, showAll } from '../views/mask.ts';
import { readContent, viewProposal } from '../views/proposal-view.ts';

type ProposalEndpoints = typeof PROPOSAL_ENDPOINTS;

interface ProposalParts {
  readonly operations: Pick<GatewayOperations, 'proposals' | 'tokens' | 'people'>;
  readonly people: PeopleParts;
  readonly runInTransaction: RunInTransaction;
}

export function proposalHandlers(parts: ProposalParts): HandlersOf<ProposalEndpoints> {
  const { proposals, people } = parts.operations;
  const { clock } = parts.people;
  return {
    async 'proposals.list'({ query: { merchantId, all = false, limit = 50, after }, caller }) {
      const before = after === undefined ? null : readPlace(after);
      if (before === undefined) return fail(INVALID_CURSOR);
      const now = clock.now();
      const maker = caller.merchantId === null ? null : caller.actor;
      const found = await proposals.list({
        team: merchantId ?? teamOf(caller),
        maker,
        openAt: all ? null : now,
        before,
        limit: limit + 1,
      });
      const last = found.length > limit ? found[limit - 1]?.proposal : undefined;
      const next = last ? writeCursor([last.createdAt, last.proposalId]) : null;
      const show = await actorsShownTo(caller, people.actorNames, found.length === 0);
      return ok({ answer: { items: found.slice(0, limit).map((each) => viewProposal(each, now, show)), next } });
    },
    async 'proposals.show'({ params, query: { merchantId }, caller }) {
      const found = await proposals.find(params.proposalId);
      const isOfTeam = found?.proposal.team === (merchantId ?? teamOf(caller));
      if (!found || !(isOfTeam || isMadeHere(found.proposal, caller))) return fail(NOT_FOUND);
      return ok({ answer: viewProposal(found, clock.now(), await actorsShownTo(caller, people.actorNames)) });
    },
    'proposals.approve': (request) => approve(parts, request),
    async 'proposals.reject'(request) {
      const { body } = request;
      const found = await decidable(parts, request, body.hash);
      if (!found.ok) return found;
      const end = { ...found.value.end, kind: ENDS.rejected, detail: body.reason } as const;
      return ended(parts, found.value.proposal, end);
    },
    async 'proposals.withdraw'({ params, caller }) {
      const found = await openProposal(parts, params.proposalId, caller, isMadeHere);
      if (!found.ok) return found;
      if (!isMaker(found.value, caller)) return fail(NOT_THE_MAKER);
      const who = { actor: caller.actor, person: caller.session?.personId ?? '', mailbox: '' };
      return ended(parts, found.value, { ...who, kind: ENDS.withdrawn, at: clock.now(), ...UNSIGNED });
    },
  };
}

/** The state of an open proposal after each decision. */
const ENDS = PROPOSAL_TRANSITIONS.open;
const UNSIGNED = { signature: null, actId: null, detail: '' };

/** The end commits together with the action. If the action is no longer possible, the proposal is void. */
async function approve(
  parts: ProposalParts,
  request: ManageRequest<ProposalEndpoints['proposals.approve']>,
): ReturnType<HandlersOf<ProposalEndpoints>['proposals.approve']> {
  const { people, runInTransaction, operations } = parts;
  const { clock, random, fingerprint } = people;
  const earlier = await executedBefore(parts, request);
  if (earlier) return ok({ answer: { proposal: viewProposal(earlier, clock.now(), showAll), answer: null } });
  const found = await decidable(parts, request, request.body.hash);
  if (!found.ok) return found;
  const { proposal } = found.value;
  const end: ProposalEnd = { ...found.value.end, kind: ENDS.approved, actId: random.uuid() };
  const maker = await callerOf(parts, proposal);
  const done = await runInTransaction(async (act) => {
    if (!(await act.proposals.end(proposal, end))) return { keep: false, value: fail(ENDED) };
    const execution = {
      fingerprint,
      clock,
      random,
      actId: end.actId ?? '',
      visit: request.visit,
      approvedBy: end.person,
    };
    const value = maker ? await executeInside(act, proposal, { ...execution, maker }) : fail(MAKER_LEFT);
    return { keep: value.ok, value };
  });
  if (!done.ok) {
    if (done.error === ENDED) return fail(ENDED);
    const reason = done.error.detail;
    if (!(await operations.proposals.end(proposal, { ...end, kind: ENDS.impossible, actId: null, detail: reason })))
      return fail(ENDED);
  }
  const record = (await operations.proposals.find(proposal.proposalId)) ?? { proposal, end };
  const view = viewProposal(record, clock.now(), showAll);
  const { secretFields = [] } = (ENDPOINTS as Readonly<Record<string, Endpoint>>)[proposal.act] ?? {};
  return ok({
    answer: { proposal: view, answer: done.ok ? (JSON.parse(done.value.text) as unknown) : null },
    change: {
      before: { state: 'open' },
      after: { state: view.state, act: view.act, hash: view.hash, actId: end.actId },
    },
    hasSecret: done.ok && secretFields.length > 0,
  });
}

/** Finds the proposal if this request repeats an approval whose process died after the execution. */
async function executedBefore(
  { operations: { proposals } }: ProposalParts,
  { params, caller }: ManageRequest<ProposalEndpoints['proposals.approve']>,
): Promise<ProposalRecord | undefined> {
  const found = await proposals.find(params.proposalId);
  if (found?.proposal.team !== teamOf(caller) || found.end?.kind !== ENDS.approved) return undefined;
  return found.end.person === caller.session?.personId ? found : undefined;
}

interface Decidable {
  readonly proposal: Proposal;
  /** The signed decision of this user, without its kind. */
  readonly end: Omit<ProposalEnd, 'kind'>;
}

/** Returns the proposal if it is open, the user saw its content, and the user is not its maker. */
async function decidable(
  parts: ProposalParts,
  {
    params,
    caller,
    signature,
  }: Pick<ManageRequest<ProposalEndpoints['proposals.approve']>, 'params' | 'caller' | 'signature'>,
  hash: string,
): Promise<Result<Decidable, ManageProblem>> {
  const { people, clock } = parts.people;
  const found = await openProposal(parts, params.proposalId, caller);
  if (!found.ok) return found;
  const proposal = found.value;
  const person = caller.session && (await people.find(caller.session.personId));
  if (!person || !signature)
    return fail({ code: 'forbidden', detail: 'Only a signed-in user can decide on a proposal.' });
  if (proposal.hash.toString('hex') !== hash) return fail(OTHER_CONTENT);
  const { personId, email } = person;
  const mailbox = mailboxOf(email);
  const credentials = (await people.passkeys(personId)).map(({ credentialId }) => credentialId);
  if (!isSecondPerson(proposal, { personId, mailbox, credentials })) return fail(SAME_PERSON);
  if (await wasShownItsToken(parts, proposal, person)) return fail(SAME_PERSON);
  const who = { actor: { ...caller.actor, id: personId }, person: personId, mailbox };
  return ok({
    proposal,
    end: { ...who, at: clock.now(), signature: JSON.stringify(signature), actId: null, detail: '' },
  });
}

/** True if the user approved the creation of this token, and therefore saw its secret. */
async function wasShownItsToken(
  { operations: { tokens }, people: { people } }: ProposalParts,
  { maker }: Proposal,
  person: Person,
): Promise<boolean> {
  const token = maker.kind === 'token' ? await tokens.find(maker.id) : undefined;
  const shownTo = token && token.shownTo !== '' ? await people.find(token.shownTo) : undefined;
  return shownTo !== undefined && isSamePerson(shownTo, person);
}

function isMaker({ maker }: Proposal, { actor }: Caller): boolean {
  return maker.kind === actor.kind && maker.id === actor.id;
}

/** True if the caller created the proposal at this merchant, and a different team decides about it. */
function isMadeHere(proposal: Proposal, caller: Caller): boolean {
  const { at = null } = readContent(proposal.content).request;
  return isMaker(proposal, caller) && at !== null && at === caller.merchantId;
}

/** `isShown` lets the caller open a proposal of another team. */
async function openProposal(
  { operations: { proposals }, people: { clock } }: ProposalParts,
  proposalId: string,
  caller: Caller,
  isShown: (proposal: Proposal, caller: Caller) => boolean = () => false,
): Promise<Result<Proposal, ManageProblem>> {
  const found = await proposals.find(proposalId);
  if (!found || !(found.proposal.team === teamOf(caller) || isShown(found.proposal, caller))) return fail(NOT_FOUND);
  const state = stateOfProposal(found, clock.now());
  if (state === 'open') return ok(found.proposal);
  return fail(state === 'expired' ? EXPIRED : ENDED);
}

async function ended(
  { operations: { proposals }, people: { clock } }: ProposalParts,
  proposal: Proposal,
  end: ProposalEnd,
): Promise<Result<Answered<ReturnType<typeof viewProposal>>, ManageProblem>> {
  if (!(await proposals.end(proposal, end))) return fail(ENDED);
  const answer = viewProposal({ proposal, end }, clock.now(), showAll);
  return ok({ answer, change: { before: { state: 'open' }, after: { state: end.kind, act: proposal.act } } });
}

/** Returns the maker with its current permissions, or undefined if the user left or the token is no longer valid. */
async function callerOf(
  { operations: { tokens }, people: { people, permissionsOf, clock } }: ProposalParts,
  { maker, team, content }: Proposal,
): Promise<Caller | undefined> {
  const merchantId = readContent(content).request.at ?? (team === OPERATOR_MERCHANT ? null : team);
  if (maker.kind === 'person') {
    const membership = (await people.memberships(maker.id)).find((each) => each.merchantId === merchantId);
    const permissions = membership && permissionsOf(merchantId, membership.role);
    return permissions && { actor: maker, merchantId, permissions, createdBy: maker.id };
  }
  const token = await tokens.find(maker.id);
  const permissions = token && permissionsOfToken(token, permissionsOf);
  if (!token || !permissions || token.revokedAt !== null || token.expiresAt <= clock.now()) return undefined;
  const { createdBy, shownTo, expiresAt } = token;
  return { actor: maker, merchantId, permissions, createdBy, shownTo, expiresAt };
}

function readPlace(cursor: string) {
  const [createdAt, proposalId] = readCursor(cursor) ?? [];
  return typeof createdAt === 'number' && typeof proposalId === 'string' ? { createdAt, proposalId } : undefined;
}

const rejected = (detail: string): ManageProblem => ({ code: 'rejected', detail });

const ENDED = rejected('The proposal is already final. Read it again.');
const EXPIRED = rejected('The proposal has expired: propose the action again.');
const SAME_PERSON = rejected(
  'The maker of this proposal has your account, email address or passkey. Another user must decide.',
);
const NOT_THE_MAKER = rejected('Only the maker of a proposal can withdraw it. Reject it instead.');
const MAKER_LEFT = rejected(
  'The maker of this proposal is no longer in the team, or the maker’s token is no longer valid.',
);
const OTHER_CONTENT: ManageProblem = {
  code: 'changed-meanwhile',
  field: '/hash',
  detail: 'hash does not match this proposal. Read the proposal again and sign the current hash.',
};
