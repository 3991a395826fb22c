/** Where callbacks are kept: `CallbackQueue` is what delivery needs, `CallbackStore` what people ask. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Callback, CallbackAttempt, CallbackState } from './callback.ts';
import type { Breaker } from './delivery-breaker.ts';
import type { RecordedDelivery } from './record-delivery.ts';

/** A merchant's lane, held by one worker until `leaseUntil`. Only the latest fence may record. */
export interface Lane {
  readonly merchantId: MerchantId;
  readonly fence: number;
}

export interface ClaimedLane extends Lane {
  readonly leaseUntil: Instant;
  readonly breaker: Breaker;
  /** The first callbacks that are due, oldest due time first. */
  readonly due: readonly Callback[];
}

export interface LaneClaim {
  readonly now: Instant;
  readonly leaseUntil: Instant;
  readonly lanes: number;
  /** Due callbacks per lane to bring along. */
  readonly callbacks: number;
}

export interface LaneDelivery extends Lane {
  readonly callbackId: string;
  readonly delivery: RecordedDelivery;
}

export interface LaneRelease extends Lane {
  readonly now: Instant;
  readonly breaker: Breaker;
}

export interface CallbackQueue {
  /** Takes lanes that are ready, those that waited longest first. */
  claim(claim: LaneClaim): Promise<readonly ClaimedLane[]>;
  /** The merchant's callbacks whose due time lies from `from` to `now`, oldest first. */
  due(merchantId: MerchantId, from: Instant, now: Instant, limit: number): Promise<readonly Callback[]>;
  /** False when the lane is no longer held under this fence; then nothing was written. */
  record(delivery: LaneDelivery): Promise<boolean>;
  /** Lets go, with the due time of what is left. True when something is due already. */
  release(lane: LaneRelease): Promise<boolean>;
}

export interface CallbackQuery {
  readonly merchantId: MerchantId | null;
  readonly state: CallbackState | null;
  /** Created at or after. */
  readonly since: Instant | null;
  readonly limit: number;
}

export interface CallbackKey {
  readonly merchantId: MerchantId;
  readonly callbackId: string;
}

/** How the merchant's lane stands, for whoever asks why a callback waits. */
export interface LaneState {
  readonly leaseUntil: Instant | null;
  readonly breaker: Breaker;
}

export interface CallbackRecord {
  readonly callback: Callback;
  readonly attempts: readonly CallbackAttempt[];
  /** Null: the merchant never had a callback that was due. */
  readonly lane: LaneState | null;
}

export interface CallbackStore {
  find(key: CallbackKey): Promise<CallbackRecord | undefined>;
  /** Newest first. */
  list(query: CallbackQuery): Promise<readonly Callback[]>;
  /** Makes one callback due at `now` with its schedule anew, and ends the lane's pause. Gives the state it was in. */
  resend(key: CallbackKey, now: Instant): Promise<CallbackState | undefined>;
  /** The same for a merchant's undelivered callbacks created at or after `since`; gives how many. */
  resendUndelivered(merchantId: MerchantId, since: Instant, now: Instant): Promise<number>;
}
