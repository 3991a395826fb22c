/** A callback: the result that a merchant gets, repeated until the merchant acknowledges it. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** `payout` and `deposit` use the interface's signed forms. `event` (a reversal, a late execution) is JSON for `event_url`. */
export type CallbackSubject = 'payout' | 'deposit' | 'event';

/**
 * - `due`: to be sent, now or later.
 * - `delivered`: the merchant acknowledged it.
 * - `undelivered`: the schedule's last attempt failed, or the merchant has no address.
 * - `not_wanted`: the merchant turned callbacks of this kind off.
 *
 * callback-transitions.ts defines how one follows another.
 */
export const CALLBACK_STATES = ['due', 'delivered', 'undelivered', 'not_wanted'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Field names and values in the order of transmission, without the signature. */
export type CallbackPayload = Readonly<Record<string, string>>;

export interface NewCallback {
  readonly merchantId: MerchantId;
  /** The `webhook-id` of every attempt. It follows from the content, so that no result has two callbacks. */
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
  /** The number of attempts before the schedule began: 0, or more after a resend. */
  readonly scheduleStart: number;
  /** The start of the schedule; null before its first attempt. */
  readonly firstAttemptAt: Instant | null;
  /** When the next attempt is due, or null if no other attempt follows. */
  readonly dueAt: Instant | null;
  /** When it was delivered, became undelivered, or was found to be unwanted. */
  readonly finishedAt: Instant | null;
}

export interface CallbackAttempt {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly outcome: DeliveryOutcome;
  /** The first 1 KiB of the response at most, or the failure. */
  readonly reply: string;
  /** Undefined means that the gateway sent nothing. */
  readonly sent?: SentCallback | undefined;
}

/**
 * The parts of a sent callback that do not follow from its fields: the settings and keys of that moment. With the fields, they
 * reproduce its exact bytes.
 */
export interface SentCallback {
  readonly address: string;
  /** `query`: a GET, with the fields in its query. */
  readonly format: 'form' | 'json' | 'query';
  /** The signature field, or null for a callback without a signature. */
  readonly sign: string | null;
  readonly xSign: string;
  readonly timestamp: string;
  readonly webhookSignature: string;
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

/** `retryAfterMs` is null if the merchant's server did not ask for a delay. */
export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly reply: string;
  readonly retryAfterMs: number | null;
  readonly sent?: SentCallback | undefined;
}
