/** The port for proposals and their outcomes. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';
import type { Proposal, ProposalEnd, ProposalRecord } from './proposal.ts';

interface ProposalQuery {
  readonly team: MerchantId;
  /** Also lists this maker’s proposals about the team’s merchant that another team decides. If null, lists none of these. */
  readonly maker: Pick<Actor, 'kind' | 'id'> | null;
  /** Only those that are open at this time. If null, all. */
  readonly openAt: Instant | null;
  readonly before: { readonly createdAt: Instant; readonly proposalId: string } | null;
  readonly limit: number;
}

export interface ProposalStore {
  add(proposal: Proposal): Promise<void>;
  find(proposalId: string): Promise<ProposalRecord | undefined>;
  /** Returns the newest proposals first. */
  list(query: ProposalQuery): Promise<readonly ProposalRecord[]>;
  /** Returns the proposals of a team about any of these objects, newest first. */
  about(team: MerchantId, objects: readonly string[]): Promise<readonly ProposalRecord[]>;
  /** Waits for a concurrent outcome. Returns false if the proposal already has an outcome. */
  end(proposal: Proposal, end: ProposalEnd): Promise<boolean>;
}
