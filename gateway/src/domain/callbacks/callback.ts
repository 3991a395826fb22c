/** A callback: what a merchant is told, once, until they have accepted it. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** `payout` and `deposit` go out signed in the interface's own forms; `event` (a reversal, a late execution) goes as JSON to `event_url`. */
export type CallbackSubject = 'payout' | 'deposit' | 'event';

/**
 * - `due`: to be sent, now or later.
 * - `delivered`: the merchant accepted it.
 * - `undelivered`: the last try of the schedule failed, or there was no address.
 * - `not_wanted`: the merchant has turned these off.
 */
export const CALLBACK_STATES = ['due', 'delivered', 'undelivered', 'not_wanted'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Field names and values in the order in which they are sent, without the signature. */
export type CallbackPayload = Readonly<Record<string, string>>;

export interface NewCallback {
  readonly merchantId: MerchantId;
  /** The `webhook-id` of every attempt; follows from what it tells, so that nothing is told by two callbacks. */
  readonly callbackId: string;
  readonly subject: CallbackSubject;
  /** The payout's or the order's id, as the merchant knows it. */
  readonly subjectId: string;
  readonly payload: CallbackPayload;
  readonly state: CallbackState;
  readonly createdAt: Instant;
}

export interface Callback extends NewCallback {
  readonly attempts: number;
  /** How many attempts were behind when the schedule began: 0, or more after a resend. */
  readonly scheduleStart: number;
  /** The schedule counts from here; null before its first attempt. */
  readonly firstAttemptAt: Instant | null;
  /** When the next attempt is due; null when none is. */
  readonly dueAt: Instant | null;
  /** When it was delivered, given up or found not to be wanted. */
  readonly finishedAt: Instant | null;
}

export interface CallbackAttempt {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly outcome: DeliveryOutcome;
  /** At most the first 1 KiB of the reply, or what went wrong. */
  readonly reply: string;
}

export type DeliveryOutcome =
  | 'accepted'
  | 'refused_status'
  | 'refused_body'
  | 'redirected'
  | 'timed_out'
  | 'unreachable'
  | 'forbidden_address'
  | 'no_address';

/** Null `retryAfterMs`: the merchant's server did not ask for a delay. */
export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly reply: string;
  readonly retryAfterMs: number | null;
}
