/** The transitions of a proposal. */
import type { Instant } from '../../foundation/clock.ts';
import type { ProposalRecord, ProposalState } from './proposal.ts';

/**
 * - `approved`: a second person approved it, and its action happened. `impossible`: approved, but the action was no longer
 *   possible, or would have differed from its dry run.
 * - `rejected`: by a second person. `withdrawn`: by its maker. `expired`: nobody decided in time.
 */
type ProposalEvent = 'approved' | 'impossible' | 'rejected' | 'withdrawn' | 'expired';

export const PROPOSAL_TRANSITIONS = {
  open: {
    approved: 'executed',
    impossible: 'void',
    rejected: 'rejected',
    withdrawn: 'withdrawn',
    expired: 'expired',
  },
  executed: {},
  void: {},
  rejected: {},
  withdrawn: {},
  expired: {},
} as const satisfies Readonly<Record<ProposalState, Readonly<Partial<Record<ProposalEvent, ProposalState>>>>>;

/** The gateway stores the end of a proposal, except its expiry. */
export function stateOfProposal({ proposal, end }: ProposalRecord, now: Instant): ProposalState {
  return end?.kind ?? (now < proposal.expiresAt ? 'open' : PROPOSAL_TRANSITIONS.open.expired);
}
