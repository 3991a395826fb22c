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

interface EventShape<Fields> {
  readonly level: Level;
  readonly fields: Fields;
}

function at<const Fields extends Readonly<Record<string, FieldKind>>>(
  level: Level,
  fields: Fields,
): EventShape<Fields> {
  return { level, fields };
}

const payout = { merchant: 'name', payout_id: 'name' } as const;
const callback = { merchant: 'name', callback_id: 'name' } as const;

export const LOG_EVENTS = {
  started: at('info', { environment: 'name', role: 'name' }),
  unsigned_forms_accepted: at('warn', { merchants: 'number', found: 'text' }),
  risk_accepted: at('warn', { rule: 'name', variable: 'name', found: 'text' }),
  listening: at('info', { listener: 'name', address: 'text' }),
  draining: at('info', {}),
  stopped: at('info', {}),
  migrated: at('info', { migration: 'name' }),

  process_started: at('info', { name: 'name', pid: 'number' }),
  process_died: at('error', { name: 'name', how: 'name', again_ms: 'number' }),
  process_replaced: at('info', { name: 'name', pid: 'number' }),
  process_not_replaced: at('error', { name: 'name' }),

  // The route and never the path: a stranger, or a mistake, may write anything into a path.
  request_answered: at('info', {
    method: 'name',
    route: 'name',
    status: 'number',
    elapsed_ms: 'number',
    client: 'name',
  }),
  proxy_not_trusted: at('warn', { client: 'name' }),
  request_failed: at('error', { route: 'name', error: 'error' }),

  payout_accepted: at('debug', { ...payout, method: 'number', currency: 'name', rail: 'name' }),
  payout_refused: at('info', { merchant: 'name', reason: 'name', field: 'name' }),
  payout_final: at('info', { ...payout, report: 'name', state: 'name', code: 'name', actor: 'name' }),
  payout_adjusted: at('warn', { ...payout, adjustment: 'name', actor: 'name' }),

  deposit_opened: at('debug', { merchant: 'name', transaction: 'name', payment_type: 'name' }),
  deposit_displaced: at('warn', { merchant: 'name', transaction: 'name', by: 'name', held: 'number' }),
  deposit_refused: at('info', { merchant: 'name', reason: 'name' }),
  deposit_final: at('info', { merchant: 'name', transaction: 'name', state: 'name', reason: 'name' }),
  deposit_adjusted: at('warn', {
    merchant: 'name',
    transaction: 'name',
    rail: 'name',
    adjustment: 'name',
    outcome: 'name',
  }),
  payment_settled: at('info', { merchant: 'name', transaction: 'name', attempt: 'number', state: 'name' }),
  attempt_limited: at('info', { merchant: 'name', too_many_by: 'name' }),
  transfer_received: at('info', { rail: 'name', state: 'name', mismatch: 'name' }),
  transfers_reconciled: at('info', {
    rail: 'name',
    day: 'name',
    listed: 'number',
    found: 'number',
    differing: 'number',
  }),

  payouts_reconciled: at('info', {
    rail: 'name',
    day: 'name',
    listed: 'number',
    matched: 'number',
    settled: 'number',
    differing: 'number',
  }),

  recovering: at('warn', { since: 'instant', known_until: 'instant' }),

  rail_called: at('debug', { rail: 'name', call: 'name', answer: 'name', latency_ms: 'number' }),
  rail_credential_refused: at('error', { rail: 'name' }),
  rail_breaker_opened: at('warn', { rail: 'name' }),
  rail_breaker_closed: at('info', { rail: 'name' }),
  rail_notified: at('info', { rail: 'name', reference: 'name', news: 'name', outcome: 'name' }),
  rail_notification_refused: at('warn', { rail: 'name', reference: 'name', refusal: 'name', reason: 'text' }),

  callback_attempted: at('info', {
    ...callback,
    attempt: 'number',
    outcome: 'name',
    http_status: 'number',
    latency_ms: 'number',
  }),
  callback_delivered: at('debug', { ...callback, age_ms: 'number' }),
  callback_undelivered: at('warn', { ...callback, outcome: 'name' }),
  callback_lane_paused: at('warn', { merchant: 'name', failures: 'number', until: 'instant' }),
  callback_lane_resumed: at('info', { merchant: 'name' }),
  callback_lane_abandoned: at('warn', { merchant: 'name', reason: 'text' }),
  callback_claim_failed: at('warn', { reason: 'text' }),

  database_connection_lost: at('warn', { error: 'error' }),
  problem: at('error', { problem: 'text', error: 'error' }),

  alert_raised: at('error', { alert: 'name', detail: 'text' }),
  alert_sent: at('info', { alert: 'name' }),
  alert_not_sent: at('error', { alert: 'name', reason: 'text' }),
};

export type LogEvent = keyof typeof LOG_EVENTS;

interface FieldValues {
  name: string;
  text: string;
  number: number | null;
  instant: number;
  error: unknown;
}

/** An event without fields takes none, where plain `{}` would take any. */
type Values<Fields extends Readonly<Record<string, FieldKind>>> = keyof Fields extends never
  ? Readonly<Record<string, never>>
  : { readonly [Field in keyof Fields]: FieldValues[Fields[Field]] };

type FieldsOfEvents = { readonly [Event in LogEvent]: Values<(typeof LOG_EVENTS)[Event]['fields']> };

export type LogFields<Event extends LogEvent> = FieldsOfEvents[Event];
