/** The port of delivery: merchants’ lanes of callbacks. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Callback } from './callback.ts';
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

export interface LaneStore {
  /** Claims due lanes, those that have waited longest first. */
  claim(claim: LaneClaim): Promise<readonly ClaimedLane[]>;
  /** Returns the merchant's callbacks due from `from` to `now`, oldest first. */
  due(merchantId: MerchantId, from: Instant, now: Instant, limit: number): Promise<readonly Callback[]>;
  /** Returns false, without writing, if this fence no longer holds the lane. */
  record(delivery: LaneDelivery): Promise<boolean>;
  /** Releases the lane with the due time of its next callback. Returns true if one is already due. */
  release(lane: LaneRelease): Promise<boolean>;
}
