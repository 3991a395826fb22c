/** The port for storing payouts. Each call concerns one payout; storage groups many calls into one commit. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';
import type { NewCallback } from '../callbacks/callback.ts';
import type { ReportedDifference } from '../differences/difference.ts';
import type { Balances, Journal } from '../ledger/transfer.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type { HistoryReason } from './history-reason.ts';
import type { BlockedReason, Payout, PayoutStage, PayoutState } from './payout.ts';
import type { ClaimedPayout } from './payout-job-store.ts';

export interface NewPayout {
  readonly payout: Payout;
  readonly vaultRecord: VaultRecord | null;
  /** See payout-seal.ts. */
  readonly seal: Buffer;
  /** Moves the money from available to reserved. */
  readonly journal: Journal;
  /** Why the gateway chose this rail. The payout's history contains it. */
  readonly why: readonly HistoryReason[];
  /** If undefined, the gateway may send it immediately. */
  readonly approval?: RequiredApproval;
  /** The caller of the management API that created it. Undefined for a payout of the merchant's server or of the gateway. */
  readonly maker?: PayoutMaker;
  /** The user or program that ordered a return or a refund, for its history. */
  readonly by?: string;
}

/** The user or program that created a payout, and must not approve it. */
export interface PayoutMaker {
  readonly actor: Actor;
  /** The users who control the actor. Empty if unknown. */
  readonly people: readonly string[];
  /** The actor's mailbox, by which the gateway recognises a second account of the same user. Empty if unknown. */
  readonly mailbox: string;
}

/** A maker with the current data of their accounts. */
export interface KnownMaker extends PayoutMaker {
  /** The email addresses of its users. */
  readonly emails: readonly string[];
}

/** A payout that a user must approve before the gateway sends it. */
export interface RequiredApproval {
  /** The deadline, after which the payout is blocked and its money released. */
  readonly by: Instant;
  /** Why the payout needs approval. Its history contains it. */
  readonly why: HistoryReason;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'exists'; readonly payout: Payout }
  /** The balance would fall below zero, or the merchant has a debt. */
  | { readonly kind: 'insufficient_funds' };

/** One entry of a payout's history. `detail` describes the event and contains no secret. */
export interface HistoryEntry {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: PayoutState | null;
  readonly toState: PayoutState;
  readonly actor: string;
  readonly detail: string;
}

/** A bank's change after the final state. Each is a separate record, at most one of each kind per payout. */
export const ADJUSTMENT_KINDS = ['reversed', 'late_execution', 'contradicted'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

/** The adjustments so far: each kind with the rail of the bank that reported it. */
export type AdjustedBy = Readonly<Partial<Record<AdjustmentKind, string>>>;

export interface NewAdjustment {
  readonly kind: AdjustmentKind;
  /** The rail of the bank that reported it. Null if no bank did. */
  readonly rail: string | null;
  readonly at: Instant;
  readonly detail: string;
}

/** The money of a plan. `weighed` means that it depends on the balances, which storage reads under the merchant's lock. */
export type PlannedJournal =
  | { readonly kind: 'fixed'; readonly journal: Journal }
  | { readonly kind: 'weighed'; readonly journal: (balances: Balances) => Journal };

/** All changes of one report, which are written in one commit. */
export interface SettlementPlan {
  readonly change: {
    readonly state: PayoutState;
    readonly blockedReason: BlockedReason | null;
    readonly finishedAt: Instant;
    /** The rail at which the payout reached its final state. */
    readonly rail: string;
  } | null;
  readonly journal: PlannedJournal | null;
  readonly history: HistoryEntry;
  readonly callbacks: readonly NewCallback[];
  readonly adjustment: NewAdjustment | null;
  /** The earlier rail that reported that it paid. Afterwards no worker sends the payout. */
  readonly paidBy: string | null;
  /** The note of the payout's job; only with `paidBy`. */
  readonly note?: string;
  /** The payout moves from `awaiting_approval` to `queued`. The commit rejects its maker. If undefined, it keeps its stage. */
  readonly approver?: Approver;
}

/** The user behind an approval. */
export interface Approver {
  /** Empty for someone with a shell on the server. */
  readonly person: string;
  /** The email address without the parts that mail servers ignore. Empty if unknown. */
  readonly mailbox: string;
}

/** The facts on which a settlement depends. Storage checks them again at the commit. */
export interface SettlementFacts {
  readonly payout: Payout;
  readonly adjustedBy: AdjustedBy;
  /** The earlier rail that reported that it paid, although another rail may have the payout now. Null if none did. */
  readonly paidBy: string | null;
  /** True for a failed return whose money was credited since, or is being returned again. */
  readonly isOvertaken: boolean;
  /** Null once the payout is final. */
  readonly stage: PayoutStage | null;
  /** The deadline for the approval. Null if the payout needed none. */
  readonly approveBy: Instant | null;
}

export interface SettlementRequest extends PayoutKey {
  /** The lease's fencing token. Null for a report outside a lease. */
  readonly fence: number | null;
  /** The claim with that fence: storage may plan from its facts instead of reading them. */
  readonly claimed?: ClaimedPayout | undefined;
  /** Decides what to write. Pure. Returns undefined if the event has no effect. */
  readonly plan: (facts: SettlementFacts) => SettlementPlan | undefined;
  /** Returns a contradiction that an operator must see although the event has no effect, or undefined. */
  readonly otherwise?: (facts: SettlementFacts) => ReportedDifference | undefined;
}

export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly plan: SettlementPlan }
  | { readonly kind: 'unchanged'; readonly payout: Payout }
  /** Another worker now holds the lease. */
  | { readonly kind: 'lease_lost' }
  | { readonly kind: 'not_found' };

export interface PayoutListQuery {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly payoutId: string | null;
  /** The inclusive start of the period. */
  readonly from: Instant;
  /** The exclusive end of the period. */
  readonly to: Instant;
  readonly state: PayoutState | 'all';
  /** Only payouts after this transaction id, in the order of the list. */
  readonly after: number | null;
  readonly limit: number;
}

export interface AlikeQuery {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly since: Instant;
  readonly contentHashes: readonly Buffer[];
}

export interface EarlierPayouts {
  /** Returns undefined if the payout was not created over the management API. */
  findMaker(key: PayoutKey): Promise<KnownMaker | undefined>;
  /** Returns those of the ids for which the merchant has a payout. */
  findIds(merchantId: MerchantId, payoutIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the ids of payouts since `since` with the same content as one of these, by the content in hex. */
  findSameContent(query: AlikeQuery): Promise<ReadonlyMap<string, string>>;
}

export interface PayoutStore {
  /**
   * Reserves the money and stores the payout in one commit. Throws Overloaded before any attempt, and OutcomeUnknown if the
   * outcome of the commit is unknown.
   */
  accept(payout: NewPayout): Promise<AcceptOutcome>;
  find(key: PayoutKey): Promise<Payout | undefined>;
  /** The only gate of a payout's state. */
  settle(request: SettlementRequest): Promise<SettlementOutcome>;
  /** Resolves to the payout as soon as it is final, or in its current state after `ms` milliseconds. */
  waitUntilFinal(key: PayoutKey, ms: number): Promise<Payout>;
  /** Returns the oldest payouts first. */
  list(query: PayoutListQuery): Promise<readonly Payout[]>;
  /** Returns the payout that a rail knows under `reference`. */
  findByReference(rail: string, reference: string): Promise<Payout | undefined>;
  nextTransactionId(): Promise<number>;
}
