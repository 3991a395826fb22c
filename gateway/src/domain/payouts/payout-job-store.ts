/** The payouts under way, as a worker takes them: by lease, with a fencing token, so that two never act for one payout. */
import type { Instant } from '../../foundation/clock.ts';
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
}

export interface ClaimedPayout extends PayoutJob {
  readonly payout: Payout;
  readonly vaultRecord: VaultRecord | null;
  readonly fence: number;
  readonly leaseUntil: Instant;
  /** The latest attempt's; null before the first. */
  readonly reference: string | null;
  /** The latest attempt's: past this its sender writes nothing more. */
  readonly sendUntil: Instant | null;
}

export interface NewAttempt {
  readonly claim: ClaimedPayout;
  readonly reference: string;
  readonly startedAt: Instant;
  readonly sendUntil: Instant;
  /** Keep the reference in the directory by which notifications find their payout. */
  readonly inDirectory: boolean;
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
}

export interface PayoutJobStore {
  /** At most `limit` due payouts of one rail, leased to the caller until `leaseUntil`. Oldest due first. */
  claim(rail: string, now: Instant, leaseUntil: Instant, limit: number): Promise<readonly ClaimedPayout[]>;
  /** Commits the attempts; false for each whose lease was lost meanwhile (it must not be sent). */
  beginAttempts(attempts: readonly NewAttempt[]): Promise<readonly boolean[]>;
  /** Does nothing when the lease was lost. */
  postpone(postponement: Postponement): Promise<void>;
  drain(): Promise<void>;
}
