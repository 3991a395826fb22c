/**
 * Proposals: actions that wait for a second person. Neither a proposal nor its outcome ever changes. The user who created it
 * is not a second person, with any account that is recognisably theirs.
 */
import type { Instant } from '../../foundation/clock.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';

/** An open proposal expires after this time. */
export const PROPOSAL_VALID_MS = 72 * HOUR_MS;

export interface Proposal {
  readonly proposalId: string;
  /** The team whose users decide: a merchant or the operator. */
  readonly team: MerchantId;
  readonly act: string;
  readonly object: string;
  /** Canonical JSON with the exact action and its dry run. */
  readonly content: string;
  /** The SHA-256 hash of the content. */
  readonly hash: Buffer;
  readonly reason: string | null;
  readonly maker: Actor;
  /** The user behind the maker. Empty for a token created on the command line. */
  readonly makerPerson: string;
  readonly makerMailbox: string;
  readonly makerCredentials: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const PROPOSAL_END_KINDS = ['executed', 'void', 'rejected', 'withdrawn'] as const;
export type ProposalEndKind = (typeof PROPOSAL_END_KINDS)[number];

export interface ProposalEnd {
  readonly kind: ProposalEndKind;
  readonly at: Instant;
  readonly actor: Actor;
  /** The id of the user who decided. Empty for a token that withdraws. */
  readonly person: string;
  readonly mailbox: string;
  /** The signature as JSON. Null for a withdrawal. */
  readonly signature: string | null;
  /** The id of the executed action in the audit log. */
  readonly actId: string | null;
  readonly detail: string;
}

export interface ProposalRecord {
  readonly proposal: Proposal;
  /** Null if the proposal is open or has expired. */
  readonly end: ProposalEnd | null;
}

/** proposal-transitions.ts defines how one follows another. */
export const PROPOSAL_STATES = ['open', ...PROPOSAL_END_KINDS, 'expired'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

interface Checker {
  readonly personId: string;
  readonly mailbox: string;
  readonly credentials: readonly string[];
}

export function isSecondPerson(proposal: Proposal, { personId, mailbox, credentials }: Checker): boolean {
  return (
    personId !== proposal.makerPerson &&
    mailbox !== proposal.makerMailbox &&
    !credentials.some((each) => proposal.makerCredentials.includes(each))
  );
}
