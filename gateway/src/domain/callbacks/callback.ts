/** A callback: the result that a merchant gets, repeated until the merchant acknowledges it. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

/** `payout` and `deposit` use the signed formats of the API. `event` (a reversal, a late execution) is JSON for `event_url`. */
export type CallbackSubject = 'payout' | 'deposit' | 'event';

/**
 * - `due`: to be sent, now or later.
 * - `delivered`: the merchant acknowledged it.
 * - `undelivered`: the schedule's last attempt failed, or the merchant has no URL.
 * - `not_wanted`: the merchant disabled callbacks of this kind.
 *
 * callback-transitions.ts defines the transitions.
 */
export const CALLBACK_STATES = ['due', 'delivered', 'undelivered', 'not_wanted'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

/** Field names and values in the order of transmission, without the signature. */
export type CallbackPayload = Readonly<Record<string, string>>;

export interface NewCallback {
  readonly merchantId: MerchantId;
  /** The `webhook-id` of every attempt. It is derived from the content, so that no result has two callbacks. */
  readonly callbackId: string;
  readonly subject: CallbackSubject;
  /** The id of the payout or the order, as the merchant knows it. */
  readonly subjectId: string;
  readonly payload: CallbackPayload;
  readonly state: CallbackState;
  readonly createdAt: Instant;
}

export interface Callback extends NewCallback {
  readonly attempts: number;
  /** The number of attempts before the current schedule began: 0, or more after a resend. */
  readonly scheduleStart: number;
  /** The start of the schedule; null before its first attempt. */
  readonly firstAttemptAt: Instant | null;
  /** When the next attempt is due. Null if none follows. */
  readonly dueAt: Instant | null;
  /** When it was delivered, became undelivered or was found to be unwanted. */
  readonly finishedAt: Instant | null;
}

export interface CallbackAttempt {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly outcome: DeliveryOutcome;
  /** The beginning of the response, at most 1 KiB, or a description of the failure. */
  readonly reply: string;
  /** Undefined if the gateway sent nothing. */
  readonly sent?: SentCallback | undefined;
}

/**
 * The parts of a sent callback that do not follow from its fields: the settings and keys at that time. Together with the
 * fields, they reproduce its exact bytes.
 */
export interface SentCallback {
  readonly address: string;
  /** `query` is a GET with the fields in its query. */
  readonly format: 'form' | 'json' | 'query';
  /** The signature field. Null for a callback without a signature. */
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

/** `retryAfterMs` is null if the merchant's server did not request a delay. */
export interface DeliveryReport {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly reply: string;
  readonly retryAfterMs: number | null;
  readonly sent?: SentCallback | undefined;
}
