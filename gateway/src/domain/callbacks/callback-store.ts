/** The ports for storing callbacks: `CallbackQueue` serves delivery, `CallbackStore` serves the operator's commands. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Callback, CallbackAttempt, CallbackState } from './callback.ts';
import type { Breaker, PlannedDelivery } from './plan-delivery.ts';

/** A merchant's lane, leased to one worker until `leaseUntil`. Only the latest fence may write. */
interface Lane {
  readonly merchantId: MerchantId;
  readonly fence: number;
}

export interface ClaimedLane extends Lane {
  readonly leaseUntil: Instant;
  readonly breaker: Breaker;
  /** The first due callbacks, earliest due time first. */
  readonly due: readonly Callback[];
}

export interface LaneClaim {
  readonly now: Instant;
  readonly leaseUntil: Instant;
  readonly lanes: number;
  /** The maximum number of due callbacks per lane. */
  readonly callbacks: number;
}

export interface LaneDelivery extends Lane {
  readonly callbackId: string;
  readonly delivery: PlannedDelivery;
}

export interface LaneRelease extends Lane {
  readonly now: Instant;
  readonly breaker: Breaker;
}

export interface CallbackQueue {
  /** Claims due lanes, longest wait first. */
  claim(claim: LaneClaim): Promise<readonly ClaimedLane[]>;
  /** The merchant's callbacks due from `from` to `now`, oldest first. */
  due(merchantId: MerchantId, from: Instant, now: Instant, limit: number): Promise<readonly Callback[]>;
  /** False if this fence no longer holds the lane. The store then wrote nothing. */
  record(delivery: LaneDelivery): Promise<boolean>;
  /** Releases the lane, with the due time of its next callback. True if one is due already. */
  release(lane: LaneRelease): Promise<boolean>;
}

export interface CallbackKey {
  readonly merchantId: MerchantId;
  readonly callbackId: string;
}

/** The state of the merchant's lane, for explanations of why a callback waits. */
export interface LaneState {
  readonly leaseUntil: Instant | null;
  readonly breaker: Breaker;
}

export interface CallbackRecord {
  readonly callback: Callback;
  readonly attempts: readonly CallbackAttempt[];
  /** Null: the merchant never had a due callback. */
  readonly lane: LaneState | null;
}

export interface CallbackPace {
  /** The callbacks that were counted. */
  readonly callbacks: number;
  /** Attempts by the hour of their beginning, oldest first. */
  readonly hours: readonly {
    readonly start: Instant;
    readonly attempts: number;
    readonly accepted: number;
    readonly halfMs: number;
    readonly mostMs: number;
  }[];
}

export interface CallbackStore {
  /** The attempts of the merchant's newest callbacks since then. */
  pace(merchantId: MerchantId, since: Instant): Promise<CallbackPace>;
  find(key: CallbackKey): Promise<CallbackRecord | undefined>;
  /** Makes one callback due at `now`, restarts its schedule, and ends the lane's pause. Returns its previous state. */
  resend(key: CallbackKey, now: Instant): Promise<CallbackState | undefined>;
  /** Resends a merchant's undelivered callbacks created at or after `since`. Returns their number. */
  resendUndelivered(merchantId: MerchantId, since: Instant, now: Instant): Promise<number>;
}
