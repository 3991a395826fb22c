/** The port for storing deposits. Each call concerns one deposit; storage groups many calls into one commit. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import type { NewCallback } from '../callbacks/callback.ts';
import type { Balances, Journal } from '../ledger/transfer.ts';
import type { NewPayout, PayoutListQuery } from '../payouts/payout-store.ts';
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
  /** Plans how the deposit that currently has the order loses it. */
  readonly displace: PlanDisplacement;
}

export type OpenOutcome =
  /** `displaced` is the deposit that lost the order, or null. */
  { readonly kind: 'opened'; readonly displaced: Displacement | null } | { readonly kind: 'order_exists' };

export interface DepositHistoryEntry {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: DepositState | null;
  readonly toState: DepositState;
  readonly actor: string;
  readonly detail: string;
}

/** A history entry without its states, which the commit adds. */
export type DepositNote = Omit<DepositHistoryEntry, 'fromState' | 'toState'>;

export interface DepositChange {
  readonly state: DepositState;
  readonly failReason: FailReason | null;
  readonly received: bigint;
  readonly fee: bigint;
  readonly finishedAt: Instant;
}

/** The changes that the same commit writes, in addition to the transfer's own row. */
export interface DepositPlan {
  readonly change: DepositChange | null;
  readonly journals: readonly Journal[];
  readonly history: DepositHistoryEntry | null;
  readonly callbacks: readonly NewCallback[];
}

export interface ReceiptPlan extends DepositPlan {
  readonly transfer: { readonly state: TransferState; readonly mismatch: Mismatch | null };
}

/** Facts that storage reads under the merchant's lock. */
export interface DepositFacts {
  /** Undefined if the transfer's address belongs to no deposit. */
  readonly deposit: Deposit | undefined;
  readonly balances: Balances;
}

export interface ReceiptRequest {
  readonly merchantId: MerchantId;
  readonly transactionId: number | null;
  readonly transfer: IncomingTransfer;
  readonly foundBy: FoundBy;
  readonly recordedAt: Instant;
  /** The originator's card. The vault keeps it only while the money is held, so that a return can use it. */
  readonly card: VaultRecord | null;
  /** Pure. */
  readonly plan: (facts: DepositFacts) => ReceiptPlan;
}

export type ReceiptOutcome =
  | { readonly kind: 'recorded'; readonly plan: ReceiptPlan }
  /** The transfer was recorded earlier with these values. The store wrote nothing. */
  | { readonly kind: 'known'; readonly state: TransferState; readonly money: Money; readonly payTo: string };

export interface DepositSettlement extends DepositKey {
  readonly at: Instant;
  /** Pure. Returns undefined if nothing changes. */
  readonly plan: (facts: DepositFacts & { readonly deposit: Deposit }) => DepositPlan | undefined;
}

export type DepositSettlementOutcome =
  | { readonly kind: 'settled'; readonly plan: DepositPlan }
  | { readonly kind: 'unchanged'; readonly deposit: Deposit }
  | { readonly kind: 'not_found' };

/** Credits held money to a deposit. */
export interface TransferResolution {
  readonly transfer: RecordedTransfer;
  readonly to: DepositKey;
  /** The operator's decision and its reason. */
  readonly resolution: string;
  readonly at: Instant;
  /** Sees the balances of the deposit's merchant. `held` is the transfer with its remaining money. Pure. */
  readonly plan: (facts: DepositFacts & { readonly deposit: Deposit; readonly held: IncomingTransfer }) => ReceiptPlan;
}

export type TransferResolutionOutcome =
  | { readonly kind: 'resolved'; readonly plan: ReceiptPlan }
  | { readonly kind: 'not_held'; readonly state: TransferState }
  | { readonly kind: 'deposit_not_found' };

/** Returns held money to its originator through a payout from suspense. */
export interface TransferReturn {
  readonly transfer: RecordedTransfer;
  /** Sees the transfer with its remaining money, under its merchant's lock. Pure. */
  readonly plan: (transfer: RecordedTransfer) => NewPayout;
  /** When the vault destroys the originator's card. */
  readonly destroyCardAt: Instant;
  /** The operator's decision and its reason. */
  readonly resolution: string;
  /** The history entry for the transfer's deposit, if it has one. */
  readonly note: DepositNote;
}

export type ReturnOutcome =
  | { readonly kind: 'accepted'; readonly payout: PayoutKey }
  | { readonly kind: 'not_held'; readonly state: TransferState };

export interface DepositListQuery extends Omit<PayoutListQuery, 'payoutId' | 'state'> {
  readonly orderId: string | null;
  readonly state: 'pending' | 'success' | 'fail' | 'all';
}

export interface DepositStore {
  /** Throws Overloaded before any attempt, and OutcomeUnknown if the outcome of the commit is unknown. */
  open(request: OpenRequest): Promise<OpenOutcome>;
  /** The only gate for incoming money. Records the transfer once, with its effects. */
  receive(request: ReceiptRequest): Promise<ReceiptOutcome>;
  /** The only gate through which a deposit reaches a final state without money. */
  settle(settlement: DepositSettlement): Promise<DepositSettlementOutcome>;
  /** The only gate that credits held money. */
  resolve(resolution: TransferResolution): Promise<TransferResolutionOutcome>;
  /** The only gate that returns held money. */
  returnTransfer(transferReturn: TransferReturn): Promise<ReturnOutcome>;
  /** Returns the deposit to which the address belongs. */
  findByAddress(payTo: string): Promise<DepositKey | undefined>;
  /** Returns at most `limit` open deposits, created at or after `createdSince`, whose time has passed at `now`. */
  findOverdue(now: Instant, createdSince: Instant, limit: number): Promise<readonly DepositKey[]>;
  find(key: DepositKey): Promise<Deposit | undefined>;
  /** Returns the oldest deposits first. */
  list(query: DepositListQuery): Promise<readonly Deposit[]>;
  findByOrder(merchantId: MerchantId, orderId: string): Promise<DepositKey | undefined>;
  findTransfer(id: TransferId): Promise<RecordedTransfer | undefined>;
  /** Returns an unused address, or undefined if all are in use. */
  allocateAddress(space: AddressSpace, merchantId: MerchantId, now: Instant): Promise<string | undefined>;
  /** Releases an allocated address that no deposit uses. */
  releaseAddress(address: string): Promise<void>;
  /** Returns the number of allocated addresses, including those that a process reserved. */
  addressesUsed(): Promise<number>;
}

/** Money that was credited for the deposit, and its fee in minor units. */
export interface CreditedTransfer {
  readonly transfer: RecordedTransfer;
  readonly fee: bigint;
}

export interface DisplacementFacts extends DepositFacts {
  readonly deposit: Deposit;
  /** The transfers that move to suspense. Each was credited on arrival, and nothing of it was returned since. */
  readonly credited: readonly CreditedTransfer[];
}

/** A deposit that lost its order, and its transfers that moved to suspense. */
export interface Displacement extends DepositKey {
  readonly held: readonly RecordedTransfer[];
}

export type PlanDisplacement = (facts: DisplacementFacts) => DepositPlan;
