/** Where deposits are kept, as the domain asks for it: one at a time. Storage commits many together. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { NewCallback } from '../callbacks/callback.ts';
import type { Balances, Journal } from '../ledger/transfer.ts';
import type { NewPayout } from '../payouts/payout-store.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type {
  Deposit,
  DepositKey,
  DepositState,
  FailReason,
  FoundBy,
  IncomingTransfer,
  Mismatch,
  RecordedTransfer,
  TransferId,
  TransferState,
} from './deposit.ts';
import type { AddressSpace } from './deposit-rail.ts';

export interface OpenRequest {
  readonly deposit: Deposit;
  /** Plans how the deposit that has the order makes way. */
  readonly displace: PlanDisplacement;
}

export type OpenOutcome =
  /** `displaced`: the deposit that had the order before and was displaced; null: none. */
  { readonly kind: 'opened'; readonly displaced: Displacement | null } | { readonly kind: 'order_exists' };

export interface DepositHistoryEntry {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: DepositState | null;
  readonly toState: DepositState;
  readonly actor: string;
  readonly detail: string;
}

/** An entry that the deposit's state at the commit completes. */
export type DepositNote = Omit<DepositHistoryEntry, 'fromState' | 'toState'>;

export interface DepositChange {
  readonly state: DepositState;
  readonly failReason: FailReason | null;
  readonly received: bigint;
  readonly fee: bigint;
  readonly finishedAt: Instant;
}

/** What is written beside the transfer's own row, in one commit. */
export interface DepositPlan {
  readonly change: DepositChange | null;
  readonly journals: readonly Journal[];
  readonly history: DepositHistoryEntry | null;
  readonly callbacks: readonly NewCallback[];
}

export interface ReceiptPlan extends DepositPlan {
  readonly transfer: { readonly state: TransferState; readonly mismatch: Mismatch | null };
}

/** Read under the merchant's lock. */
export interface DepositFacts {
  /** Undefined: the transfer's address stands for no deposit. */
  readonly deposit: Deposit | undefined;
  readonly balances: Balances;
}

export interface ReceiptRequest {
  readonly merchantId: MerchantId;
  readonly transactionId: number | null;
  readonly transfer: IncomingTransfer;
  readonly foundBy: FoundBy;
  readonly recordedAt: Instant;
  /** The originator's card, kept only while the money is held: a return goes to it. */
  readonly card: VaultRecord | null;
  /** Pure. */
  readonly plan: (facts: DepositFacts) => ReceiptPlan;
}

export type ReceiptOutcome =
  | { readonly kind: 'recorded'; readonly plan: ReceiptPlan }
  /** The transfer was told before, as this; nothing was written now. */
  | { readonly kind: 'known'; readonly state: TransferState; readonly money: Money; readonly payTo: string };

export interface DepositSettlement extends DepositKey {
  readonly at: Instant;
  /** Pure; undefined when nothing changes. */
  readonly plan: (facts: DepositFacts & { readonly deposit: Deposit }) => DepositPlan | undefined;
}

export type DepositSettlementOutcome =
  | { readonly kind: 'settled'; readonly plan: DepositPlan }
  | { readonly kind: 'unchanged'; readonly deposit: Deposit }
  | { readonly kind: 'not_found' };

/** Held money becomes a deposit's after all. */
export interface TransferResolution {
  readonly transfer: RecordedTransfer;
  readonly to: DepositKey;
  /** What was decided, and why. */
  readonly resolution: string;
  readonly at: Instant;
  /** Pure. Balances are those of the deposit's merchant; `held`: the transfer, with the money that is left of it. */
  readonly plan: (facts: DepositFacts & { readonly deposit: Deposit; readonly held: IncomingTransfer }) => ReceiptPlan;
}

export type ResolutionOutcome =
  | { readonly kind: 'resolved'; readonly plan: ReceiptPlan }
  | { readonly kind: 'not_held'; readonly state: TransferState }
  | { readonly kind: 'deposit_not_found' };

/** Held money goes back to its originator, by a payout out of suspense. */
export interface TransferReturn {
  readonly transfer: RecordedTransfer;
  /** Pure; of the transfer as it stands under its merchant's lock, with the money that is left of it. */
  readonly plan: (transfer: RecordedTransfer) => NewPayout;
  /** When the originator's card that was kept for it is destroyed. */
  readonly destroyCardAt: Instant;
  /** What was decided, and why. */
  readonly resolution: string;
  /** For the history of the deposit that it came for, where there is one. */
  readonly note: DepositNote;
}

export type ReturnOutcome =
  | { readonly kind: 'accepted'; readonly payout: PayoutKey }
  | { readonly kind: 'not_held'; readonly state: TransferState };

export interface DepositListQuery {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly orderId: string | null;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly state: 'pending' | 'success' | 'fail' | 'all';
  readonly after: number | null;
  readonly limit: number;
}

export interface DepositStore {
  /** Throws Overloaded before anything was attempted, and OutcomeUnknown when the commit's fate can't be learned. */
  open(request: OpenRequest): Promise<OpenOutcome>;
  /** The one gate for money that comes in: records the transfer once, with what follows from it. */
  receive(request: ReceiptRequest): Promise<ReceiptOutcome>;
  /** The one gate for everything else that ends a deposit. */
  settle(settlement: DepositSettlement): Promise<DepositSettlementOutcome>;
  /** The one gate by which held money is credited. */
  resolve(resolution: TransferResolution): Promise<ResolutionOutcome>;
  /** The one gate by which held money goes back. */
  returnTransfer(transferReturn: TransferReturn): Promise<ReturnOutcome>;
  /** Whose deposit the address stands for. */
  findByAddress(payTo: string): Promise<DepositKey | undefined>;
  /** Open deposits of `createdSince` or later whose time is over at `now`, at most `limit`. */
  findOverdue(now: Instant, createdSince: Instant, limit: number): Promise<readonly DepositKey[]>;
  find(key: DepositKey): Promise<Deposit | undefined>;
  /** Oldest first. */
  list(query: DepositListQuery): Promise<readonly Deposit[]>;
  findByOrder(merchantId: MerchantId, orderId: string): Promise<DepositKey | undefined>;
  findTransfer(id: TransferId): Promise<RecordedTransfer | undefined>;
  /** A number that stands for an address nobody else was given, or undefined when all are in use. */
  takeAddress(space: AddressSpace, merchantId: MerchantId, now: Instant): Promise<string | undefined>;
  /** For one that was taken and stands for no deposit after all. */
  releaseAddress(address: string): Promise<void>;
  /** How many have been taken so far; those that a process has set aside for itself count as taken. */
  addressesUsed(): Promise<number>;
}

/** Money that was credited for the deposit, and its fee in minor units. */
export interface CreditedTransfer {
  readonly transfer: RecordedTransfer;
  readonly fee: bigint;
}

export interface DisplacementFacts extends DepositFacts {
  readonly deposit: Deposit;
  /** The transfers that go into suspense: each was credited when it came, and nothing of it has gone back since. */
  readonly credited: readonly CreditedTransfer[];
}

/** A deposit that lost its order, and what of its money went into suspense by that. */
export interface Displacement extends DepositKey {
  readonly held: readonly RecordedTransfer[];
}

export type PlanDisplacement = (facts: DisplacementFacts) => DepositPlan;
