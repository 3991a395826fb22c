/** Implements CallbackStore over PostgreSQL, and the insert that settling transactions include. */
import type {
  Callback,
  CallbackAttempt,
  CallbackState,
  CallbackSubject,
  DeliveryOutcome,
  NewCallback,
  SentCallback,
} from '../../domain/callbacks/callback.ts';
import type {
  CallbackKey,
  CallbackPace,
  CallbackRecord,
  CallbackStore,
  LaneState,
} from '../../domain/callbacks/callback-store.ts';
import { CALLBACK_TRANSITIONS, statesBefore } from '../../domain/callbacks/callback-transitions.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { columnList, stateList, timestamp, timestampOrNull } from '../core/parameters.ts';

export const CALLBACK_COLUMNS = `c.merchant_id, c.callback_id, c.subject, c.subject_id, c.payload, c.state, c.created_at,
  c.attempts, c.schedule_start, c.first_attempt_at, c.due_at, c.finished_at`;

/** The columns by which a statement reads new callbacks from its JSON parameter. */
export const CALLBACK_ROW_TYPES = {
  merchant_id: 'text',
  callback_id: 'text',
  subject: 'text',
  subject_id: 'text',
  payload: 'json',
  state: 'text',
  created_at: 'timestamptz',
  due_at: 'timestamptz',
  finished_at: 'timestamptz',
};

/** The same columns as a list of names, for rows in one JSON parameter. */
const CALLBACK_ROW_COLUMNS = columnList(CALLBACK_ROW_TYPES);

/**
 * The end of each statement that adds callbacks. It reads a CTE named `new_callbacks` with CALLBACK_ROW_COLUMNS, inserts the
 * callbacks and makes their lanes due. It follows `with …,` and defines `inserted` and `woken`.
 *
 * The statement locks the lane even if its due time stays: `on conflict do update` locks before it evaluates its condition. A
 * claim or release therefore waits for this commit and then sees the new callbacks. Batches lock lanes in the order of
 * merchants, so they cannot deadlock.
 */
export const INSERT_CALLBACKS = `
  inserted as (
    insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at)
    select merchant_id, callback_id, subject, subject_id, payload, state, created_at, due_at, finished_at from new_callbacks
    order by merchant_id, callback_id
    on conflict (merchant_id, callback_id) do nothing
    returning merchant_id, due_at),
  woken as (
    insert into callback_lanes (merchant_id, due_at)
    select merchant_id, min(due_at) from inserted where due_at is not null group by merchant_id order by merchant_id
    on conflict (merchant_id) do update set due_at = excluded.due_at where callback_lanes.due_at > excluded.due_at)`;

const INSERT = `${STEP_BY_STEP}
with new_callbacks as (select * from json_to_recordset($1) as r(${CALLBACK_ROW_COLUMNS})),
${INSERT_CALLBACKS}
select count(*) from inserted`;

/** Inserts within the caller's transaction. A callback whose id exists stays unchanged. */
export async function insertCallbacks(transaction: Queryable, callbacks: readonly NewCallback[]): Promise<void> {
  if (callbacks.length === 0) return;
  await transaction.prepared('insert-callbacks', INSERT, [JSON.stringify(callbacks.map(newCallbackRow))]);
}

const FIND = `select ${CALLBACK_COLUMNS} from callbacks as c where c.merchant_id = $1 and c.callback_id = $2`;

const FIND_ATTEMPTS = `
select attempt, started_at, latency_ms, http_status, outcome, reply, sent from callback_attempts
where merchant_id = $1 and callback_id = $2 order by attempt`;

const FIND_LANE = 'select lease_until, paused_until, failures from callback_lanes where merchant_id = $1';

const RESENT = CALLBACK_TRANSITIONS.undelivered.resent;
const RESENT_IN_BULK = CALLBACK_TRANSITIONS.undelivered.resent_in_bulk;

/** Makes a callback due before all others of its lane: a lane that failed sends only its first callback, as a probe. */
const RESEND = `
update callbacks set state = '${RESENT}', finished_at = null, first_attempt_at = null, schedule_start = attempts,
  due_at = least($3, (select min(other.due_at) - interval '1 millisecond' from callbacks as other
    where other.merchant_id = $1 and other.state = 'due' and other.callback_id <> $2))
where merchant_id = $1 and callback_id = $2`;

const RESEND_UNDELIVERED = `
update callbacks set state = '${RESENT_IN_BULK}', due_at = $3, finished_at = null, first_attempt_at = null, schedule_start = attempts
where merchant_id = $1 and state in (${stateList(statesBefore('resent_in_bulk'))}) and created_at >= $2
returning callback_id`;

/** Makes the lane due and ends its pause, so that the gateway attempts an operator's resend immediately. */
const WAKE_LANE = `
insert into callback_lanes as lane (merchant_id, due_at) values ($1, $2)
on conflict (merchant_id) do update set due_at = least(lane.due_at, excluded.due_at), paused_until = null`;

export function createCallbackStore(database: Database): CallbackStore {
  return {
    find: (key) => find(database, key),
    failing: (leastFailures, limit) => database.query(FAILING, [leastFailures, limit]),
    pace: (merchantId, since) => readPace(database, merchantId, since),
    resend: (key, now) => resend(database, key, now),
    resendUndelivered: (merchantId, since, now) =>
      database.transaction(async (transaction) => {
        const due = [merchantId, timestamp(since), timestamp(now)];
        const resent = await transaction.query(RESEND_UNDELIVERED, due);
        if (resent.length > 0) await transaction.query(WAKE_LANE, [merchantId, timestamp(now)]);
        return resent.length;
      }),
  };
}

async function find(database: Database, key: CallbackKey): Promise<CallbackRecord | undefined> {
  const values = [key.merchantId, key.callbackId];
  const [row] = await database.query<CallbackRow>(FIND, values);
  if (!row) return undefined;
  const attempts = await database.query<CallbackAttemptRow>(FIND_ATTEMPTS, values);
  const [lane] = await database.query<LaneRow>(FIND_LANE, [key.merchantId]);
  return {
    callback: callbackFromRow(row),
    attempts: attempts.map(callbackAttemptFromRow),
    lane: lane ? laneFromRow(lane) : null,
  };
}

/** Reads the lanes, one per merchant, and the first due callbacks of those that fail. */
const FAILING = `
select lane.merchant_id as "merchantId", lane.failures, lane.paused_until as "nextAt", due.id as "callbackId", due.since
from callback_lanes as lane cross join lateral (
  select min(coalesce(first_attempt_at, created_at)) as since, (array_agg(callback_id order by due_at))[1] as id
  from (select callback_id, due_at, first_attempt_at, created_at from callbacks as c
    where c.merchant_id = lane.merchant_id and c.state = 'due' order by c.due_at limit 100) as first) as due
where lane.failures >= $1 and due.id is not null order by due.since limit $2`;

const MOST_COUNTED = 5_000;

const NEWEST = `
select callback_id from callbacks where merchant_id = $1 and created_at >= $2
order by created_at desc, callback_id desc limit ${MOST_COUNTED}`;

const PACE = `
select date_trunc('hour', started_at) as start, count(*)::integer as attempts,
  (count(*) filter (where outcome = 'accepted'))::integer as accepted,
  percentile_disc(0.5) within group (order by latency_ms) as "halfMs",
  percentile_disc(0.95) within group (order by latency_ms) as "mostMs"
from callback_attempts where merchant_id = $1 and callback_id = any($2::text[]) group by 1 order by 1`;

async function readPace(database: Database, merchantId: MerchantId, since: Instant): Promise<CallbackPace> {
  const newest = await database.query<{ callback_id: string }>(NEWEST, [merchantId, timestamp(since)]);
  const ids = newest.map(({ callback_id }) => callback_id);
  return { callbacks: ids.length, hours: await database.query(PACE, [merchantId, ids]) };
}

interface LaneRow {
  lease_until: Instant | null;
  paused_until: Instant | null;
  failures: number;
}

function laneFromRow(row: LaneRow): LaneState {
  return { leaseUntil: row.lease_until, breaker: { failures: row.failures, pausedUntil: row.paused_until } };
}

function resend(database: Database, key: CallbackKey, now: Instant): Promise<CallbackState | undefined> {
  const values = [key.merchantId, key.callbackId];
  return database.transaction(async (transaction) => {
    const [before] = await transaction.query<{ state: CallbackState }>(
      'select state from callbacks where merchant_id = $1 and callback_id = $2 for update',
      values,
    );
    if (before === undefined || !statesBefore('resent').includes(before.state)) return before?.state;
    await transaction.query(RESEND, [...values, timestamp(now)]);
    await transaction.query(WAKE_LANE, [key.merchantId, timestamp(now)]);
    return before.state;
  });
}

/** Returns the callbacks among these ids that exist, oldest first. */
export async function readCallbacksById(
  queryable: Queryable,
  merchantId: MerchantId,
  callbackIds: readonly string[],
): Promise<Callback[]> {
  const rows = await queryable.query<CallbackRow>(
    `select ${CALLBACK_COLUMNS} from callbacks as c
     where c.merchant_id = $1 and c.callback_id = any($2::text[]) order by c.created_at`,
    [merchantId, callbackIds],
  );
  return rows.map(callbackFromRow);
}

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

/** Returns the JSON row of a callback that the insert statement reads. The callback is due immediately or already finished. */
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

interface CallbackAttemptRow {
  attempt: number;
  started_at: number;
  latency_ms: number;
  http_status: number | null;
  outcome: DeliveryOutcome;
  reply: string;
  sent: SentRow | null;
}

/** The row has no names of fields, because they would take a fifth of its size. */
type SentRow = readonly [
  address: string,
  format: SentCallback['format'],
  sign: string | null,
  xSign: string,
  timestamp: string,
  webhookSignature: string,
];

export function sentRow(sent: SentCallback): SentRow {
  return [sent.address, sent.format, sent.sign, sent.xSign, sent.timestamp, sent.webhookSignature];
}

function sentFromRow([address, format, sign, xSign, timestamp, webhookSignature]: SentRow): SentCallback {
  return { address, format, sign, xSign, timestamp, webhookSignature };
}

function callbackAttemptFromRow(row: CallbackAttemptRow): CallbackAttempt {
  return {
    attempt: row.attempt,
    startedAt: row.started_at,
    latencyMs: row.latency_ms,
    httpStatus: row.http_status,
    outcome: row.outcome,
    reply: row.reply,
    ...(row.sent === null ? {} : { sent: sentFromRow(row.sent) }),
  };
}
