/** What the delivery of payouts depends on, by layer: the delivery, a loop beside others, one rail. */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import type { ReferenceOf } from '../../domain/payouts/payout-order.ts';
import type { PayoutCallParts, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import type { SettlePayout } from '../../domain/payouts/settle-payout.ts';
import type { BreakerChange } from '../../domain/rails/rail-health.ts';
import type { HealthWitness } from '../../domain/rails/rail-health-store.ts';
import type { TimeInDoubt } from '../../domain/recovery/recovery.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import type { PauseView } from '../../domain/routing/pauses.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { Deadlines } from '../../foundation/deadline.ts';
import type { RailBreaker } from './rail-breaker.ts';

/** The same for every rail. */
export interface DeliveryParts {
  readonly jobs: PayoutJobStore;
  readonly settle: SettlePayout;
  readonly vault: Pick<Vault, 'openFields' | 'fingerprint'>;
  readonly merchant: (payout: Payout) => Promise<Merchant>;
  /** If true, the worker also sends a payout without a seal. */
  readonly sendsUnsealed: boolean;
  readonly clock: Clock;
  /** Resolves to false if the two clocks differ too much. The worker then sends nothing, and no "not found" is proof. */
  readonly clockIsRight: () => Promise<boolean>;
  /** How much longer the lease is than the longest send. Defaults to 30 s. */
  readonly recordingMs?: number;

  readonly pauses: PauseView;
  /** Resolves to the time when a closed rail opens, or to undefined if the rail is open. */
  readonly closedUntil: (rail: string) => Promise<Instant | undefined>;
  readonly nextRail: RailChoice['nextRail'];
  /** Returns true if another working rail can carry some of this rail's payouts. */
  readonly canReroute: RailChoice['canReroute'];

  /** The reference under which that rail's bank knows the payout, whether it was sent or not. */
  readonly referenceOf: ReferenceOf;
  /** True for a rail whose provider's list of payouts reconciliation compares with the ledger, by our references. */
  readonly isListed: (rail: string) => boolean;
  /** The subset of these references that a provider listed without a payout here. Computes references only if any is listed. */
  readonly unaccounted: (references: () => readonly RailReference[]) => Promise<readonly RailReference[]>;
  /** Returns this worker's last reports in the database, or null before the first report. */
  readonly witness: () => HealthWitness | null;
  /** Reports that attempts were begun at the rail, before they are sent, so that a restore that loses them is noticed. */
  readonly mark: (rail: string) => Promise<void>;

  readonly onRailCall: PayoutCallParts['onRailCall'];
  readonly onBreaker: (rail: string, change: BreakerChange) => void;
  readonly onSealBroken: (payout: Pick<Payout, 'merchantId' | 'payoutId'>, fault: string) => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

/** What a loop depends on that runs beside the loops of the other rails. */
export interface RailLoopParts extends DeliveryParts {
  /** Returns true for a rail that keeps failing and currently admits no probe. */
  readonly isDown: (rail: string) => boolean;
  /** Returns true for a rail that failed and has not responded since. */
  readonly isTried: (rail: string) => boolean;
  /** All rails whose banks may have such a payout. */
  readonly mayHaveAccepted: (payout: Payout) => readonly PayoutRail[];
  /** The rails whose providers may list the payout. The merchant may repeat it with another method, so any rail may. */
  readonly mayBeListedAt: (payout: Payout) => readonly Pick<PayoutRail, 'name'>[];
  /** Reads the latest recovery only once, because a failover between two reads would hold back a payout indefinitely. */
  readonly restoreAround: (rail: string) => Promise<RestoreAround>;
}

/** What a loop with its own rail depends on. */
export interface OneRailParts extends RailLoopParts {
  readonly rail: PayoutRail;
  readonly breaker: RailBreaker;
  /** The deadlines of the rail's calls. */
  readonly deadlines: Deadlines;
}

/** The effect of a restored database on the payouts of one rail. */
interface RestoreAround {
  /** The start of the latest recovery. Null if the database was never restored. */
  readonly restoredAt: Instant | null;
  /**
   * The time whose payouts a restore may have lost. While it is not null, the gateway queries the banks about a payout
   * before the rail's first send of it.
   */
  readonly doubt: TimeInDoubt | null;
  /** The rail holds back payouts that were queued before this time. If it is undefined, the rail sends all. */
  readonly heldBefore: Instant | undefined;
}
