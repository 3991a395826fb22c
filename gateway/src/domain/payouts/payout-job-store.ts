/** The payouts under way, as a worker takes them: by lease, with a fencing token, so that two never act for one payout. */
import type { Instant } from '../../foundation/clock.ts';
import type { PausedTargets } from '../routing/pauses.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type { Payout, PayoutStage } from './payout.ts';

export interface PayoutJob {
  readonly stage: PayoutStage;
  readonly stageSince: Instant;
  /** When a worker takes it next; while one holds it, the end of its lease. */
  readonly dueAt: Instant;
  readonly attempts: number;
  /** How often the bank was asked since the last attempt. */
  readonly asks: number;
  /** What the last step met; empty when nothing is worth saying. */
  readonly note: string;
  /** When every bank that may have it from a time that was forgotten said that it has not; null: nobody asked. */
  readonly askedAt: Instant | null;
}

export interface ClaimedPayout extends PayoutJob {
  readonly payout: Payout;
  readonly vaultRecord: VaultRecord | null;
  readonly fence: number;
  readonly leaseUntil: Instant;
  /** An attempt began with this claim: it is to be sent. It is in `attempts`, and what follows is about it. */
  readonly isBegun: boolean;
  /** An earlier rail says that it has paid it: it is never sent again. */
  readonly paidBy: string | null;
  /** The latest attempt's; null before the first. */
  readonly reference: string | null;
  /** The latest attempt's: past this its sender writes nothing more. */
  readonly sendUntil: Instant | null;
}

/** Claims payouts of one rail, and begins an attempt of each that waits to be sent, unless it is paused. */
export interface PayoutClaim {
  readonly rail: string;
  readonly now: Instant;
  readonly leaseUntil: Instant;
  /** Of the attempts. */
  readonly sendUntil: Instant;
  /** Payouts at most. */
  readonly limit: number;
  /** Keep the references in the directory by which notifications find their payout. */
  readonly inDirectory: boolean;
  /** What waits and is paused is claimed without an attempt. */
  readonly paused: PausedTargets;
  /** True: only what waits to be sent. */
  readonly queuedOnly: boolean;
  /** A queued payout that was not asked about since is claimed without an attempt; null: no payout has to be asked about. */
  readonly asksFirstSince: Instant | null;
}

export interface Postponement {
  readonly claim: ClaimedPayout;
  readonly at: Instant;
  readonly dueAt: Instant;
  readonly stage: PayoutStage;
  readonly asks: number;
  readonly note: string;
  /** Closes the latest attempt with this word (`pending`, `not_taken`, `unknown`); null leaves it as it is. */
  readonly attemptOutcome: string | null;
  /** When it was found that no bank has it; absent: as before. */
  readonly askedAt?: Instant;
}

/** A bank has a payout that was never sent as far as this database knows: an attempt that a restore made it forget. */
export interface Recognition {
  /** `fence`: the lease; null: no worker's, so it is recorded whoever holds the lease, which is lost by that. */
  readonly claim: Pick<ClaimedPayout, 'payout'> & { readonly fence: number | null };
  readonly actor: 'gateway' | 'operator';
  readonly at: Instant;
  /** The rail whose bank has it. */
  readonly rail: string;
  readonly reference: string;
  /** The forgotten attempt may have been written since then: from here on the bank looks for it. */
  readonly writtenFrom: Instant;
  readonly detail: string;
}

/** A payout whose rail provably did not take it goes to another one. */
export interface Rerouting {
  readonly claim: ClaimedPayout;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** The rail that is to take it. */
  readonly rail: string;
  /** Why the one before did not. */
  readonly note: string;
}

/** The note of what waits to be sent only because its rail is down. */
export const RAIL_DOWN_NOTE = 'the bank keeps failing';

export interface PayoutJobStore {
  /** Due payouts, oldest due first, leased to the caller, and their attempts: one commit. */
  claim(claim: PayoutClaim): Promise<readonly ClaimedPayout[]>;
  /** Does nothing when the lease was lost. */
  postpone(postponement: Postponement): Promise<void>;
  /** Does nothing when the lease was lost. The attempt that was under way is closed as not taken. */
  reroute(rerouting: Rerouting): Promise<void>;
  /** Records the forgotten attempt, so that the payout is with that bank. Does nothing when the lease was lost, or while it is sent. */
  recognise(recognition: Recognition): Promise<void>;
  /** What waits only because `rail` was down is due at `dueAt`. */
  railIsBack(rail: string, dueAt: Instant): Promise<void>;
  drain(): Promise<void>;
}
