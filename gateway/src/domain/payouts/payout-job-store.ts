/** Pending payouts as jobs. Workers claim them under a lease with a fencing token, so that two workers never act on one payout. */
import type { Instant } from '../../foundation/clock.ts';
import type { HealthWitness } from '../rails/rail-health-store.ts';
import type { PausedTargets } from '../routing/pauses.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type { HoldReason } from './hold-reasons.ts';
import type { Payout, PayoutStage } from './payout.ts';

export interface PayoutJob {
  readonly stage: PayoutStage;
  readonly stageSince: Instant;
  /** When a worker may claim it. While a worker holds it, the expiry of the lease. */
  readonly dueAt: Instant;
  readonly attempts: number;
  /** The number of status queries sent to the bank since the last attempt. */
  readonly asks: number;
  /** The result of the last step. May be empty. */
  readonly note: string;
  /** Why the gateway does not send it yet. Null if the last step found no such reason. */
  readonly heldBecause: HoldReason | null;
  /** When all banks that may have received it in the recovery window denied it. Null if the gateway did not query them. */
  readonly askedAt: Instant | null;
  /** The deadline for the approval. Null if the payout needed none. */
  readonly approveBy: Instant | null;
  /** An earlier rail reported that it paid this payout. No worker may send it again. */
  readonly paidBy: string | null;
}

export interface ClaimedPayout extends PayoutJob {
  readonly payout: Payout;
  readonly vaultRecord: VaultRecord | null;
  /** Null if an earlier version accepted the payout. */
  readonly seal: Buffer | null;
  /** True if its append-only history has a final state. The row was then changed to pending in the database. */
  readonly wasFinal: boolean;
  /** The number of entries in its history. */
  readonly entries: number;
  readonly fence: number;
  readonly leaseUntil: Instant;
  /**
   * True if this claim began an attempt, which the worker must send. `attempts` includes it, and the fields below describe it.
   */
  readonly isBegun: boolean;
  /** The reference of the latest attempt. Null before the first attempt. */
  readonly reference: string | null;
  /** The deadline of the latest attempt: its sender writes nothing after it. */
  readonly sendUntil: Instant | null;
}

/**
 * Claims payouts of one rail. Begins an attempt for each queued payout, unless it is paused. A payout that waits for approval
 * is claimed only to query banks about it after a restore, and never with an attempt.
 */
export interface PayoutClaim {
  readonly rail: string;
  readonly now: Instant;
  readonly leaseUntil: Instant;
  /** The deadline of the attempts. */
  readonly sendUntil: Instant;
  /** The maximum number of payouts. */
  readonly limit: number;
  /** If true, writes the references to the directory through which notifications find their payout. */
  readonly inDirectory: boolean;
  /** A paused queued payout is claimed without an attempt. */
  readonly paused: PausedTargets;
  /** True if the rail accepts nothing at present, because it is closed or down. The claim then begins no attempt. */
  readonly isRailHeld?: boolean;
  /** If true, the store claims only queued payouts. */
  readonly queuedOnly: boolean;
  /** A queued payout gets an attempt only after a bank was queried since then. Null if no bank need be queried. */
  readonly asksFirstSince: Instant | null;
  /** A payout that was queued before this time gets no attempt from the claim. If undefined, any queued payout may get one. */
  readonly heldBefore?: Instant | undefined;
  /** The start of the latest recovery that the worker knows. If the database has a different one, it claims nothing. */
  readonly restoredAt: Instant | null;
  /** The worker's last reports. If a restore removed them, the worker claims nothing. Null before its first report. */
  readonly witness: HealthWitness | null;
}

/** The outcomes of an attempt that leave its payout pending. */
export const ATTEMPT_OUTCOMES = ['pending', 'unknown', 'not_accepted'] as const;
export type PayoutAttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface Postponement {
  readonly claim: ClaimedPayout;
  readonly at: Instant;
  readonly dueAt: Instant;
  readonly stage: PayoutStage;
  readonly asks: number;
  readonly note: string;
  /** Undefined if nothing holds it back. */
  readonly heldBecause?: HoldReason;
  /** Closes the latest attempt with this outcome. Null leaves it unchanged. */
  readonly attemptOutcome: PayoutAttemptOutcome | null;
  /** When the gateway found that no bank received the payout. If undefined, the stored time stays. */
  readonly askedAt?: Instant;
  /** The beginning of a new stage. Defaults to `at`. */
  readonly stageSince?: Instant | undefined;
}

/** A bank has a payout that the database records as never sent, because a restore removed the attempt. */
export interface Recognition {
  /**
   * `fence` is the lease's token. Null means that the caller is not a worker: the store then records the attempt and takes the
   * lease from any worker.
   */
  readonly claim: Pick<ClaimedPayout, 'payout'> & { readonly fence: number | null };
  readonly actor: string;
  readonly at: Instant;
  /** The expiry of the lease, if a worker continues to call the bank. If undefined, the payout is due immediately. */
  readonly dueAt?: Instant;
  /** The rail of the bank that received the payout. */
  readonly rail: string;
  readonly reference: string;
  /** The earliest time at which the lost attempt may have been written. The bank searches from here. */
  readonly writtenFrom: Instant;
  readonly detail: string;
  /** The state in which the bank confirmed the payout, even if another rail is sending it. Null if no bank confirmed it. */
  readonly certainly: 'executed' | 'pending' | null;
}

/**
 * - `at_bank`: the payout is at that bank, and no worker sends it.
 * - `too_late`: another rail already has the payout, or it is final. The lost attempt is recorded in addition.
 * - `unchanged`: nothing was recorded.
 */
export type RecognitionOutcome = 'at_bank' | 'too_late' | 'unchanged';

/** Moves a payout to another rail after its rail provably did not accept it. */
export interface Rerouting {
  readonly claim: ClaimedPayout;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** The new rail. */
  readonly rail: string;
  /** Why the previous rail did not accept it. */
  readonly note: string;
}

export interface PayoutJobStore {
  /** Claims due payouts, oldest due first, and begins their attempts, in one commit. */
  claim(claim: PayoutClaim): Promise<readonly ClaimedPayout[]>;
  /** Has no effect after a lost lease. */
  postpone(postponement: Postponement): Promise<void>;
  /** Closes the attempt in flight as not accepted. Has no effect after a lost lease. */
  reroute(rerouting: Rerouting): Promise<void>;
  /**
   * Records lost attempts of one payout in one commit: the payout is then at the first of these banks. This is not possible
   * after a lost lease, or while a worker sends the payout: it is then too late, and a bank that certainly has it becomes a
   * difference for the operator.
   */
  recognise(recognitions: readonly Recognition[]): Promise<readonly RecognitionOutcome[]>;
  /** Sets the due time of payouts that wait only because `rail` was down. */
  railIsBack(rail: string, dueAt: Instant): Promise<void>;
  drain(): Promise<void>;
}
