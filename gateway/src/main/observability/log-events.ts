/**
 * Everything that can be logged: the name of each event, its level, and the fields it has. What is not in this table
 * does not reach a log; a new line in the log is a new row here.
 */

/**
 * - `name`: an identifier or a word out of a closed list.
 * - `text`: words from outside or from an error; digit runs are masked.
 * - `number`: a count, a status, milliseconds; null where there is none.
 * - `instant`: milliseconds UTC, written as ISO 8601.
 * - `error`: anything thrown, reduced to name, code, message and frames.
 */
export type FieldKind = 'name' | 'text' | 'number' | 'instant' | 'error';
export type Level = 'debug' | 'info' | 'warn' | 'error';

interface EventShape {
  readonly level: Level;
  readonly fields: Readonly<Record<string, FieldKind>>;
}

const payout = { merchant: 'name', payout_id: 'name' } as const;
const callback = { merchant: 'name', callback_id: 'name' } as const;

export const LOG_EVENTS = {
  started: { level: 'info', fields: { environment: 'name', role: 'name' } },
  listening: { level: 'info', fields: { listener: 'name', address: 'text' } },
  draining: { level: 'info', fields: {} },
  stopped: { level: 'info', fields: {} },
  migrated: { level: 'info', fields: { migration: 'name' } },

  request_answered: {
    level: 'info',
    fields: { method: 'name', path: 'text', status: 'number', elapsed_ms: 'number', client: 'name' },
  },
  request_failed: { level: 'error', fields: { path: 'text', error: 'error' } },

  payout_accepted: { level: 'debug', fields: { ...payout, method: 'number', currency: 'name', rail: 'name' } },
  payout_refused: { level: 'info', fields: { merchant: 'name', reason: 'name', field: 'name' } },
  payout_final: { level: 'info', fields: { ...payout, event: 'name', state: 'name', code: 'name', actor: 'name' } },
  payout_adjusted: { level: 'warn', fields: { ...payout, adjustment: 'name', actor: 'name' } },

  rail_called: { level: 'debug', fields: { rail: 'name', call: 'name', answer: 'name', latency_ms: 'number' } },
  rail_credential_refused: { level: 'error', fields: { rail: 'name' } },
  rail_notified: { level: 'info', fields: { rail: 'name', reference: 'name', news: 'name', outcome: 'name' } },
  rail_notification_refused: {
    level: 'warn',
    fields: { rail: 'name', reference: 'name', refusal: 'name', reason: 'text' },
  },

  callback_attempted: {
    level: 'info',
    fields: { ...callback, attempt: 'number', outcome: 'name', http_status: 'number', latency_ms: 'number' },
  },
  callback_delivered: { level: 'debug', fields: { ...callback, age_ms: 'number' } },
  callback_undelivered: { level: 'warn', fields: { ...callback, outcome: 'name' } },
  callback_lane_paused: { level: 'warn', fields: { merchant: 'name', failures: 'number', until: 'instant' } },
  callback_lane_resumed: { level: 'info', fields: { merchant: 'name' } },
  callback_lane_abandoned: { level: 'warn', fields: { merchant: 'name', reason: 'text' } },
  callback_claim_failed: { level: 'warn', fields: { reason: 'text' } },

  database_connection_lost: { level: 'warn', fields: { error: 'error' } },
  problem: { level: 'error', fields: { problem: 'text', error: 'error' } },

  alert_raised: { level: 'error', fields: { alert: 'name', detail: 'text' } },
  alert_not_sent: { level: 'error', fields: { alert: 'name', reason: 'text' } },
} as const satisfies Readonly<Record<string, EventShape>>;

export type LogEvent = keyof typeof LOG_EVENTS;

interface FieldValues {
  name: string;
  text: string;
  number: number | null;
  instant: number;
  error: unknown;
}

export type LogFields<Event extends LogEvent> = {
  readonly [Field in keyof (typeof LOG_EVENTS)[Event]['fields']]: (typeof LOG_EVENTS)[Event]['fields'][Field] extends FieldKind
    ? FieldValues[(typeof LOG_EVENTS)[Event]['fields'][Field]]
    : never;
};
