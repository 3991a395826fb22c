/** The port for stored callbacks, for the operator's commands. Delivery uses lane-store.ts. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Callback, CallbackAttempt, CallbackState } from './callback.ts';
import type { Breaker } from './plan-delivery.ts';

export interface CallbackKey {
  readonly merchantId: MerchantId;
  readonly callbackId: string;
}

/** The state of the merchant's lane, to explain why a callback waits. */
export interface LaneState {
  readonly leaseUntil: Instant | null;
  readonly breaker: Breaker;
}

export interface CallbackRecord {
  readonly callback: Callback;
  readonly attempts: readonly CallbackAttempt[];
  /** Null if the merchant has never had a due callback. */
  readonly lane: LaneState | null;
}

export interface CallbackPace {
  /** The number of callbacks in these figures. */
  readonly callbacks: number;
  /** Attempts by the hour in which they began, oldest first. */
  readonly hours: readonly {
    readonly start: Instant;
    readonly attempts: number;
    readonly accepted: number;
    readonly halfMs: number;
    readonly mostMs: number;
  }[];
}

/** A merchant's lane whose breaker is open, and which has a due callback. */
export interface FailingLane extends CallbackKey {
  readonly failures: number;
  /** The first attempt of the oldest of its first due callbacks. */
  readonly since: Instant;
  /** When the next attempt is due. Null if it is due now or in flight. */
  readonly nextAt: Instant | null;
}

export interface CallbackStore {
  /** Returns at most `limit` lanes with at least this many consecutive failures. */
  failing(leastFailures: number, limit: number): Promise<readonly FailingLane[]>;
  /** Returns the attempts of the merchant's newest callbacks since `since`. */
  pace(merchantId: MerchantId, since: Instant): Promise<CallbackPace>;
  find(key: CallbackKey): Promise<CallbackRecord | undefined>;
  /** Makes one callback due at `now`, restarts its schedule and ends the lane's pause. Returns its previous state. */
  resend(key: CallbackKey, now: Instant): Promise<CallbackState | undefined>;
  /** Resends a merchant's undelivered callbacks created at or after `since`. Returns how many. */
  resendUndelivered(merchantId: MerchantId, since: Instant, now: Instant): Promise<number>;
}
