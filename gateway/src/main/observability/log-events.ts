/** The closed list of log events: name, level, meaning and fields. The log does not write another event and no other field. */

/**
 * - `name`: an identifier or a word from a closed list.
 * - `text`: external text or the text of an error; the log masks digit runs.
 * - `number`: a count, a status or milliseconds; null without a value.
 * - `instant`: milliseconds UTC, written as ISO 8601.
 * - `error`: any thrown value, reduced to name, code, message and frames.
 */
export type FieldKind = 'name' | 'text' | 'number' | 'instant' | 'error';
export type Level = 'debug' | 'info' | 'warn' | 'error';

interface EventShape<Fields> {
  readonly level: Level;
  /** Shown in the generated reference of the docs. */
  readonly meaning: string;
  readonly fields: Fields;
}

function at<const Fields extends Readonly<Record<string, FieldKind>>>(
  level: Level,
  meaning: string,
  fields: Fields,
): EventShape<Fields> {
  return { level, meaning, fields };
}

const payout = { merchant: 'name', payout_id: 'name' } as const;
const callback = { merchant: 'name', callback_id: 'name' } as const;

export const LOG_EVENTS = {
  started: at('info', 'The process started.', { environment: 'name', role: 'name' }),
  unsigned_forms_accepted: at('warn', 'Some merchants accept unsigned forms in production.', {
    merchants: 'number',
    found: 'text',
  }),
  risk_accepted: at('warn', 'A production rule is overridden by its variable. The gateway started despite it.', {
    rule: 'name',
    variable: 'name',
    found: 'text',
  }),
  listening: at('info', 'A listener accepts connections.', { listener: 'name', address: 'text' }),
  draining: at('info', 'The process stops: it finishes requests in flight and does not accept new requests.', {}),
  stopped: at('info', 'The process stopped and closed its connections.', {}),
  migrated: at('info', 'The gateway applied a migration.', { migration: 'name' }),

  process_started: at('info', 'The supervisor started a process.', { name: 'name', pid: 'number' }),
  process_died: at('error', 'A process crashed. The supervisor restarts it after restart_after_ms.', {
    name: 'name',
    cause: 'name',
    restart_after_ms: 'number',
  }),
  process_replaced: at('info', 'A new process took over from an old process.', { name: 'name', pid: 'number' }),
  process_not_replaced: at('error', 'A new process exited during its start. The old process continues to serve.', {
    name: 'name',
  }),

  // The route, never the path, because a client may put any text into a path, even a secret.
  request_answered: at('info', 'The gateway responded to a request.', {
    method: 'name',
    route: 'name',
    status: 'number',
    elapsed_ms: 'number',
    client: 'name',
  }),
  proxy_not_trusted: at('warn', 'A client that is not in TRUSTED_PROXIES sent X-Forwarded-For.', {
    client: 'name',
  }),
  request_failed: at('error', 'A request failed because of a bug, or its outcome is unknown.', {
    route: 'name',
    error: 'error',
  }),

  payout_accepted: at('debug', 'The gateway accepted a payout and reserved its money.', {
    ...payout,
    method: 'number',
    currency: 'name',
    rail: 'name',
  }),
  payout_rejected: at('info', 'The gateway rejected a payout request.', {
    merchant: 'name',
    reason: 'name',
    field: 'name',
  }),
  payout_final: at('info', 'A payout reached a final state.', {
    ...payout,
    report: 'name',
    state: 'name',
    code: 'name',
    actor: 'name',
  }),
  payout_adjusted: at('warn', 'A bank changed the outcome of a payout after its final state.', {
    ...payout,
    adjustment: 'name',
    actor: 'name',
  }),
  payout_seal_broken: at('error', 'The gateway did not send a payout because its row was changed.', {
    ...payout,
    why: 'text',
  }),

  deposit_opened: at('debug', 'The gateway created a deposit.', {
    merchant: 'name',
    transaction: 'name',
    payment_type: 'name',
  }),
  deposit_displaced: at('warn', 'A new request took over the order of a deposit.', {
    merchant: 'name',
    transaction: 'name',
    by: 'name',
    held: 'number',
  }),
  deposit_rejected: at('info', 'The gateway rejected a deposit request.', { merchant: 'name', reason: 'name' }),
  deposit_final: at('info', 'A deposit reached a final state.', {
    merchant: 'name',
    transaction: 'name',
    state: 'name',
    reason: 'name',
  }),
  deposit_adjusted: at('warn', 'A refund, chargeback, debit or reversal followed the final state of a deposit.', {
    merchant: 'name',
    transaction: 'name',
    rail: 'name',
    adjustment: 'name',
    outcome: 'name',
  }),
  attempt_changed: at('info', 'A payment attempt changed its state.', {
    merchant: 'name',
    transaction: 'name',
    attempt: 'number',
    state: 'name',
  }),
  attempt_limited: at('info', 'An attempt limit rejected a payment attempt.', { merchant: 'name', subject: 'name' }),
  transfer_received: at('info', 'The gateway recorded an incoming transfer.', {
    rail: 'name',
    transfer_key: 'name',
    merchant: 'name',
    state: 'name',
    mismatch: 'name',
  }),
  transfers_reconciled: at('info', 'The gateway compared a day of incoming transfers with a bank’s list.', {
    rail: 'name',
    day: 'name',
    listed: 'number',
    found: 'number',
    differing: 'number',
  }),

  payouts_reconciled: at('info', 'The gateway compared a day of payouts with a provider’s list.', {
    rail: 'name',
    day: 'name',
    listed: 'number',
    matched: 'number',
    settled: 'number',
    differing: 'number',
  }),

  recovering: at('warn', 'The gateway is recovering from a restore. The gateway repeats this line every ten minutes.', {
    since: 'instant',
    known_until: 'instant',
  }),

  rail_called: at(
    'debug',
    'A rail called its provider. `answer` is the kind of its response, such as executed, declined, pending or unknown.',
    { rail: 'name', reference: 'name', call: 'name', answer: 'name', latency_ms: 'number' },
  ),
  rail_credential_refused: at('error', 'A provider refused our credential.', { rail: 'name' }),
  rail_breaker_opened: at('warn', 'The circuit breaker of a rail opened: the rail is down.', { rail: 'name' }),
  rail_breaker_closed: at('info', 'The circuit breaker of a rail closed: the rail is up.', { rail: 'name' }),
  rail_notified: at('info', 'The gateway processed a provider’s notification.', {
    rail: 'name',
    reference: 'name',
    news: 'name',
    outcome: 'name',
  }),
  rail_notification_rejected: at('warn', 'The gateway rejected a provider’s notification.', {
    rail: 'name',
    reference: 'name',
    rejection: 'name',
    reason: 'text',
  }),

  callback_attempted: at('info', 'The gateway attempted to deliver a callback.', {
    ...callback,
    attempt: 'number',
    outcome: 'name',
    http_status: 'number',
    latency_ms: 'number',
  }),
  callback_delivered: at('debug', 'A merchant acknowledged a callback.', { ...callback, age_ms: 'number' }),
  callback_undelivered: at('warn', 'The gateway stopped delivering a callback after its last attempt.', {
    ...callback,
    outcome: 'name',
  }),
  callback_lane_paused: at('warn', 'The gateway paused a merchant’s callbacks after consecutive failures.', {
    merchant: 'name',
    failures: 'number',
    until: 'instant',
  }),
  callback_lane_resumed: at('info', 'The gateway resumed a merchant’s callbacks.', { merchant: 'name' }),
  callback_lane_abandoned: at(
    'warn',
    'A worker failed during the delivery of a merchant’s callbacks. Delivery resumes when the lease of the lane expires.',
    { merchant: 'name', reason: 'text' },
  ),
  callback_claim_failed: at('warn', 'A worker could not claim callbacks. It retries.', { reason: 'text' }),

  database_connection_lost: at('warn', 'A database connection broke.', { error: 'error' }),
  problem: at('error', 'The background task named in `problem` failed.', { problem: 'text', error: 'error' }),
  spans_lost: at('warn', 'The trace collector did not accept these spans.', { spans: 'number', error: 'error' }),

  alert_raised: at('error', 'The gateway raised an alert. Its severity sets the level of the line.', {
    alert: 'name',
    detail: 'text',
  }),
  alert_sent: at('info', 'The gateway posted an alert to ALERT_URL.', { alert: 'name' }),
  alert_not_sent: at('error', 'The gateway could not post an alert to ALERT_URL.', { alert: 'name', reason: 'text' }),
};

export type LogEvent = keyof typeof LOG_EVENTS;

interface FieldValues {
  name: string;
  text: string;
  number: number | null;
  instant: number;
  error: unknown;
}

/** An event without fields accepts no fields; a plain `{}` would accept any. */
type Values<Fields extends Readonly<Record<string, FieldKind>>> = keyof Fields extends never
  ? Readonly<Record<string, never>>
  : { readonly [Field in keyof Fields]: FieldValues[Fields[Field]] };

type FieldsOfEvents = { readonly [Event in LogEvent]: Values<(typeof LOG_EVENTS)[Event]['fields']> };

export type LogFields<Event extends LogEvent> = FieldsOfEvents[Event];
