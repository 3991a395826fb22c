/**
 * The events of delivery, for metrics, logs and alerts. They contain identifiers and facts, but no payload, response or key.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { DeliveryOutcome } from './callback.ts';

export type CallbackEvent =
  /** `waitedMs` is the time from the callback's creation to its first attempt. Null on later attempts. */
  | {
      readonly kind: 'attempted';
      readonly merchantId: MerchantId;
      readonly callbackId: string;
      readonly attempt: number;
      readonly outcome: DeliveryOutcome;
      readonly httpStatus: number | null;
      readonly latencyMs: number;
      readonly waitedMs: number | null;
    }
  | { readonly kind: 'delivered'; readonly merchantId: MerchantId; readonly callbackId: string; readonly ageMs: number }
  /** An alert: delivery has stopped, and a user must act. */
  | {
      readonly kind: 'undelivered';
      readonly merchantId: MerchantId;
      readonly callbackId: string;
      readonly outcome: DeliveryOutcome;
    }
  /** An alert when `failures` reaches its first threshold. Later events extend the same pause. */
  | {
      readonly kind: 'lane_paused';
      readonly merchantId: MerchantId;
      readonly failures: number;
      readonly until: Instant;
    }
  | { readonly kind: 'lane_resumed'; readonly merchantId: MerchantId }
  /** An error on our side interrupted the work: a lost lease or database, or a bug. The lane is resumed after a pause. */
  | { readonly kind: 'lane_abandoned'; readonly merchantId: MerchantId; readonly reason: string }
  | { readonly kind: 'claim_failed'; readonly reason: string };

export type CallbackEventSink = (event: CallbackEvent) => void;
