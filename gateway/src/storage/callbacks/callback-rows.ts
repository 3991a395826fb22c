/** Maps callbacks between rows and types. */
import type {
  Callback,
  CallbackAttempt,
  CallbackState,
  CallbackSubject,
  DeliveryOutcome,
  NewCallback,
  SentCallback,
} from '../../domain/callbacks/callback.ts';
import { timestamp, timestampOrNull } from '../core/database.ts';

export const CALLBACK_COLUMNS = `c.merchant_id, c.callback_id, c.subject, c.subject_id, c.payload, c.state, c.created_at,
  c.attempts, c.schedule_start, c.first_attempt_at, c.due_at, c.finished_at`;

export interface CallbackRow {
  merchant_id: string;
  callback_id: string;
  subject: CallbackSubject;
  subject_id: string;
  payload: [string, string][];
  state: CallbackState;
  created_at: number;
  attempts: number;
  schedule_start: number;
  first_attempt_at: number | null;
  due_at: number | null;
  finished_at: number | null;
}

export function callbackFromRow(row: CallbackRow): Callback {
  return {
    merchantId: row.merchant_id,
    callbackId: row.callback_id,
    subject: row.subject,
    subjectId: row.subject_id,
    payload: Object.fromEntries(row.payload),
    state: row.state,
    createdAt: row.created_at,
    attempts: row.attempts,
    scheduleStart: row.schedule_start,
    firstAttemptAt: row.first_attempt_at,
    dueAt: row.due_at,
    finishedAt: row.finished_at,
  };
}

/** The JSON row of a callback that the insert statement reads. The callback is due at once or already finished. */
export function newCallbackRow(callback: NewCallback): Record<string, unknown> {
  const due = callback.state === 'due';
  return {
    merchant_id: callback.merchantId,
    callback_id: callback.callbackId,
    subject: callback.subject,
    subject_id: callback.subjectId,
    payload: Object.entries(callback.payload),
    state: callback.state,
    created_at: timestamp(callback.createdAt),
    due_at: timestampOrNull(due ? callback.createdAt : null),
    finished_at: timestampOrNull(due ? null : callback.createdAt),
  };
}

export interface CallbackAttemptRow {
  attempt: number;
  started_at: number;
  latency_ms: number;
  http_status: number | null;
  outcome: DeliveryOutcome;
  reply: string;
  sent: SentCallback | null;
}

export function callbackAttemptFromRow(row: CallbackAttemptRow): CallbackAttempt {
  return {
    attempt: row.attempt,
    startedAt: row.started_at,
    latencyMs: row.latency_ms,
    httpStatus: row.http_status,
    outcome: row.outcome,
    reply: row.reply,
    ...(row.sent === null ? {} : { sent: row.sent }),
  };
}
