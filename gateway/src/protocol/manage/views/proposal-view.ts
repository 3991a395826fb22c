/** A proposal as the management API shows it. */
import type { Proposal as ProposalView } from '../../../../contract/endpoints/proposals.ts';
import type { Rehearsal } from '../../../../contract/parts/rehearsals.ts';
import type { ProposalRecord } from '../../../domain/proposals/proposal.ts';
import { stateOfProposal } from '../../../domain/proposals/proposal-transitions.ts';
import type { Instant } from '../../../foundation/clock.ts';
import { instantText } from './instant-text.ts';
import { type ShowActor, showActor } from './mask.ts';

interface ProposalContent {
  readonly request: {
    readonly params: unknown;
    readonly query: unknown;
    readonly body: unknown;
    readonly ifMatch: string | null;
    /** The merchant at which the maker acts, if a team other than that merchant's decides. */
    readonly at?: string;
  };
  readonly rehearsal: Rehearsal;
}

export function readContent(content: string): ProposalContent {
  return JSON.parse(content) as ProposalContent;
}

/** `show` returns how the caller sees the maker and the decider. Their own team sees both names. */
export function viewProposal(record: ProposalRecord, now: Instant, show: ShowActor): ProposalView {
  const { proposal, end } = record;
  const { proposalId, act, object, reason, content, hash, maker, createdAt, expiresAt } = proposal;
  const { request, rehearsal } = readContent(content);
  const { params, query, body, ifMatch } = request;
  return {
    proposalId,
    state: stateOfProposal(record, now),
    act,
    object,
    reason,
    content,
    hash: hash.toString('hex'),
    request: { params, query, body, ifMatch },
    rehearsal,
    maker: showActor(maker, show),
    createdAt: instantText(createdAt),
    expiresAt: instantText(expiresAt),
    end: end && { at: instantText(end.at), by: showActor(end.actor, show), detail: end.detail },
  };
}
