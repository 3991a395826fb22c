/** Where payouts are kept, as the domain asks for it: one at a time. Storage commits many together. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { NewCallback } from '../callbacks/callback.ts';
import type { Balances, Journal } from '../ledger/transfer.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type { Payout, PayoutCode, PayoutStage, PayoutState } from './payout.ts';

export interface NewPayout {
  readonly payout: Payout;
  readonly vaultRecord: VaultRecord | null;
  /** Moves the money from available to reserved. */
  readonly journal: Journal;
  /** Why this rail: one line, for the history. */
  readonly why: string;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'exists'; readonly payout: Payout }
  /** The balance would fall below zero, or the merchant owes something. */
  | { readonly kind: 'insufficient_funds' };

/** One line of a payout's history. `detail` names what came with the event; nothing secret. */
export interface HistoryEntry {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: PayoutState | null;
  readonly toState: PayoutState;
  readonly actor: string;
  readonly detail: string;
}

/** What a bank changed after the final state: a record of its own, at most one of a kind per payout. */
export const ADJUSTMENT_KINDS = ['reversed', 'late_execution', 'contradicted'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

/** What was changed after the final state so far, each kind with the rail whose bank it was. */
export type AdjustedBy = Readonly<Partial<Record<AdjustmentKind, string>>>;

export interface NewAdjustment {
  readonly kind: AdjustmentKind;
  /** Whose bank it was; null: nobody's. */
  readonly rail: string | null;
  readonly at: Instant;
  readonly detail: string;
}

/** The money of a plan. `weighed`: it depends on the balances, which storage reads with the merchant locked. */
export type PlannedJournal =
  | { readonly kind: 'fixed'; readonly journal: Journal }
  | { readonly kind: 'weighed'; readonly journal: (balances: Balances) => Journal };

/** Everything that one settling event writes, in one commit. */
export interface SettlementPlan {
  readonly change: {
    readonly state: PayoutState;
    readonly code: PayoutCode;
    readonly finishedAt: Instant;
    /** By which rail it ended. */
    readonly rail: string;
  } | null;
  readonly journal: PlannedJournal | null;
  readonly history: HistoryEntry;
  readonly callbacks: readonly NewCallback[];
  readonly adjustment: NewAdjustment | null;
  /** The earlier rail that has paid, by its own word: from here on nobody sends the payout. */
  readonly paidBy: string | null;
}

/** The facts that a settlement is decided on. They are checked again when it is written. */
export interface SettlementFacts {
  readonly payout: Payout;
  readonly adjustedBy: AdjustedBy;
  /** The earlier rail that says it has paid a payout which another may have by now; null: none does. */
  readonly paidBy: string | null;
  /** Of a return that failed: its money has been credited since, or goes back by another return. */
  readonly isOvertaken: boolean;
  /** Null once the payout is final. */
  readonly stage: PayoutStage | null;
}

export interface SettlementRequest extends PayoutKey {
  /** The lease's fencing token, or null for news that come from outside of a lease. */
  readonly fence: number | null;
  /** Pure: decides what is written, or undefined when the event changes nothing. */
  readonly plan: (facts: SettlementFacts) => SettlementPlan | undefined;
}

export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly plan: SettlementPlan }
  | { readonly kind: 'unchanged'; readonly payout: Payout }
  /** Another worker holds the payout now. */
  | { readonly kind: 'lease_lost' }
  | { readonly kind: 'not_found' };

export interface PayoutListQuery {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly payoutId: string | null;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly state: PayoutState | 'all';
  /** Only what comes after this transaction id in the order of the list. */
  readonly after: number | null;
  readonly limit: number;
}

export interface PayoutStore {
  /**
   * Reserves the money and stores the payout in one commit. Throws Overloaded before anything was attempted, and
   * OutcomeUnknown when the commit's fate can't be learned in time.
   */
  accept(payout: NewPayout): Promise<AcceptOutcome>;
  find(key: PayoutKey): Promise<Payout | undefined>;
  /** The one gate of a payout's state. */
  settle(request: SettlementRequest): Promise<SettlementOutcome>;
  /** Resolves with the payout as soon as it is final, or as it stands after `ms` milliseconds. */
  waitUntilFinal(key: PayoutKey, ms: number): Promise<Payout>;
  /** Oldest first. */
  list(query: PayoutListQuery): Promise<readonly Payout[]>;
  /** The payout that a rail knows under `reference`. */
  findByReference(rail: string, reference: string): Promise<Payout | undefined>;
  nextTransactionId(): Promise<number>;
}
