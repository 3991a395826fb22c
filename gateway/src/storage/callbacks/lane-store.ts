/**
 * Implements LaneStore over PostgreSQL: the lanes that workers claim, and the attempts that they record. A lane's row is the
 * lock of a merchant's callbacks. A transaction that adds a callback locks it in the same commit (callback-store.ts). A claim
 * or release locks it first and reads the callbacks afterwards, so no due callback is missed. It sends no callbacks.
 */
import type { Callback } from '../../domain/callbacks/callback.ts';
import { statesBefore } from '../../domain/callbacks/callback-transitions.ts';
import type {
  ClaimedLane,
  LaneClaim,
  LaneDelivery,
  LaneRelease,
  LaneStore,
} from '../../domain/callbacks/lane-store.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { createAcrossServers, ofReachable, runAt, type Servers, textsOf } from '../cluster/across-servers.ts';
import { createCommitPerServer } from '../cluster/commit-per-server.ts';
import { type ClusterQuestion, clusterQuestionOf, FOR_CLUSTER } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import {
  columnArrays,
  ESTIMATED_AS_ONE_ROW,
  stateList,
  timestamp,
  timestampOrNull,
  unnestFrom,
} from '../core/parameters.ts';
import { CALLBACK_COLUMNS, type CallbackRow, callbackFromRow, sentRow } from './callback-store.ts';

/** When a worker may claim a lane: when a crashed holder's lease expires, or when a callback is due and no pause holds it. */
const READY_AT = 'coalesce(lease_until, greatest(due_at, paused_until))';

const READY = textsOf(
  (servers) => `
select merchant_id from callback_lanes where ${READY_AT} <= $1${ofReachable(servers, 'callback_lanes', '$3')} order by ${READY_AT} limit $2`,
);

const CLAIM = `
update callback_lanes set lease_until = $3, fence = fence + 1
where merchant_id = any($1::text[]) and ${READY_AT} <= $2
returning merchant_id, fence, failures`;

/** Returns the element of a parameter at the position of the lane's merchant in `$1`. */
const ofLane = (parameter: string) => `(${parameter})[array_position($1::text[], lane.merchant_id)]`;

/** The lanes come first in the join, because a node of a cluster cannot route a query by its array parameters. */
const DUE = `
select ${CALLBACK_COLUMNS} from callback_lanes as lane
cross join lateral (
  select * from callbacks as due
  where due.merchant_id = any($1::text[]) ${FOR_CLUSTER} and due.merchant_id = lane.merchant_id and due.state = 'due' and due.due_at between ${ofLane('$3::timestamptz[]')} and $4
  order by due.due_at limit ${ofLane('$2::int[]')}) as c
where lane.merchant_id = any($1::text[])`;

const ATTEMPT_KEY = { merchant_id: 'text', callback_id: 'text', attempt: 'smallint', started_at: 'timestamptz' };
const ANSWER = { latency_ms: 'integer', http_status: 'smallint', outcome: 'text', reply: 'text', sent: 'json' };
const NEXT = { state: 'text', due_at: 'timestamptz', first_attempt_at: 'timestamptz', finished_at: 'timestamptz' };
/** The array parameters of the statement: the attempts to record. */
const REPORT = { ...ATTEMPT_KEY, fence: 'integer', ...ANSWER, ...NEXT };

/** The callback is as the sender read it, and the sender still holds the lane. */
const HOLD = `
with report as (select * from ${unnestFrom(1, REPORT)} where ${ESTIMATED_AS_ONE_ROW}),
held as (
  update callbacks as c set state = r.state, due_at = r.due_at, attempts = r.attempt,
    first_attempt_at = r.first_attempt_at, finished_at = r.finished_at
  from report as r join callback_lanes as lane on lane.merchant_id = r.merchant_id and lane.fence = r.fence
  where c.merchant_id = any($1::text[]) ${FOR_CLUSTER} and lane.merchant_id = any($1::text[]) ${FOR_CLUSTER}
    and c.merchant_id = r.merchant_id and c.callback_id = r.callback_id and c.attempts = r.attempt - 1
    and c.state in (${stateList(statesBefore('accepted'))})
  returning r.merchant_id, r.callback_id, r.attempt, r.started_at, r.latency_ms, r.http_status, r.outcome, r.reply, r.sent)`;

const INSERT_ATTEMPTS = `
insert into callback_attempts
  (merchant_id, callback_id, attempt, started_at, latency_ms, http_status, outcome, reply, sent)
select merchant_id, callback_id, attempt, started_at, latency_ms, http_status, outcome, reply, sent from`;

const RECORD = `${HOLD} ${INSERT_ATTEMPTS} held returning merchant_id, callback_id`;

/** The statement for a cluster, where an insert that reads from a `with` query would need every server. */
const HOLD_ON_CLUSTER = `${HOLD} select merchant_id, callback_id from held`;
const INSERT_ON_CLUSTER = `${INSERT_ATTEMPTS} ${unnestFrom(1, REPORT)}`;

/** Finds reports that are already recorded: an earlier run of the batch committed, but its response was lost. */
const RECORDED = `
select merchant_id, callback_id from callback_attempts
join ${unnestFrom(1, ATTEMPT_KEY)} using (merchant_id, callback_id, attempt, started_at)
where callback_attempts.merchant_id = any($1::text[]) ${FOR_CLUSTER}`;

/** A released lane with overdue callbacks is due from now on, after the lanes that were already waiting. */
const RELEASE = `
update callback_lanes as lane set lease_until = null, paused_until = r.paused_until, failures = r.failures,
  due_at = coalesce((select greatest(c.due_at, r.now) from callbacks as c
    where c.merchant_id = any($1::text[]) ${FOR_CLUSTER} and c.merchant_id = lane.merchant_id and c.state = 'due' order by c.due_at limit 1), 'infinity')
from json_to_recordset($2) as r(merchant_id text, fence integer, failures integer, paused_until timestamptz, now timestamptz)
where lane.merchant_id = any($1::text[]) ${FOR_CLUSTER} and lane.merchant_id = r.merchant_id and lane.fence = r.fence
returning lane.merchant_id, greatest(lane.due_at, lane.paused_until) as ready_at`;

interface DueRequest {
  readonly merchantId: MerchantId;
  readonly from: Instant;
  readonly now: Instant;
  readonly limit: number;
}

interface PostgresLaneStore extends LaneStore {
  /** Resolves when no operation is queued or in flight. */
  drain(): Promise<void>;
}

export function createLaneStore(database: Database, clock: Clock): PostgresLaneStore {
  const isCluster = clusterQuestionOf(database);
  const acrossServers = createAcrossServers(database, clock);
  const lockLanes = createLaneLock(isCluster);
  const options = { clock, maxBatch: 256, maxQueued: 65_536, patienceMs: MINUTE_MS };
  const reading = createCommitPerServer<DueRequest, readonly Callback[]>(database, {
    ...options,
    flush: (requests) => readDue(database, requests),
    merchantOf: ({ merchantId }) => merchantId,
  });
  const recording = createCommitPerServer<LaneDelivery, boolean>(database, {
    ...options,
    flush: (deliveries) => record(database, isCluster, deliveries),
    merchantOf: ({ merchantId }) => merchantId,
  });
  const releasing = createCommitPerServer<LaneRelease, ReleaseOutcome>(database, {
    ...options,
    flush: (releases) => release(database, lockLanes, releases),
    merchantOf: ({ merchantId }) => merchantId,
  });
  return {
    claim: (claim) => acrossServers((servers) => claimLanes(database, lockLanes, servers, claim)),
    due: (merchantId, from, now, limit) => reading.submit({ merchantId, from, now, limit }),
    record: (delivery) => recording.submit(delivery),
    release: (lane) => releaseInTime(clock, () => releasing.submit(lane)),
    async drain() {
      await Promise.all([recording.drain(), releasing.drain(), reading.drain()]);
    },
  };
}

async function claimLanes(
  database: Database,
  lockLanes: LockLanes,
  servers: Servers,
  claim: LaneClaim,
): Promise<ClaimedLane[]> {
  const now = timestamp(claim.now);
  const ready = await runAt<{ merchant_id: string }>(database, servers, 'ready-lanes', READY, [now, claim.lanes]);
  if (ready.length === 0) return [];
  const merchants = ready.map((row) => row.merchant_id);
  return database.transaction(async (transaction) => {
    const lanes = await transaction.prepared<{ merchant_id: string; fence: number; failures: number }>(
      'claim-lanes',
      CLAIM,
      [await lockLanes(transaction, merchants), now, timestamp(claim.leaseUntil)],
    );
    const wanted = { from: 0, now: claim.now, limit: claim.callbacks };
    const asked = lanes.map((lane) => ({ merchantId: lane.merchant_id, ...wanted }));
    const due = await dueByMerchant(transaction, asked);
    return lanes.map((lane) => ({
      merchantId: lane.merchant_id,
      fence: lane.fence,
      leaseUntil: claim.leaseUntil,
      breaker: { failures: lane.failures, pausedUntil: null },
      due: due.get(lane.merchant_id) ?? [],
    }));
  });
}

async function readDue(database: Database, requests: readonly DueRequest[]): Promise<(readonly Callback[])[]> {
  const due = await dueByMerchant(database, requests);
  return requests.map(({ merchantId }) => due.get(merchantId) ?? []);
}

/** Uses the latest time of the requests, which all arrive within one turn of the event loop. */
async function dueByMerchant(
  runner: Queryable,
  requests: readonly DueRequest[],
): Promise<Map<MerchantId, readonly Callback[]>> {
  if (requests.length === 0) return new Map();
  const rows = await runner.prepared<CallbackRow>('due-callbacks', DUE, [
    requests.map(({ merchantId }) => merchantId),
    requests.map(({ limit }) => limit),
    requests.map(({ from }) => timestamp(from)),
    timestamp(Math.max(...requests.map(({ now }) => now))),
  ]);
  return Map.groupBy(rows.map(callbackFromRow), ({ merchantId }) => merchantId);
}

async function record(
  database: Database,
  isCluster: ClusterQuestion,
  deliveries: readonly LaneDelivery[],
): Promise<boolean[]> {
  const rows = deliveries.map(deliveryRow);
  const written = (await isCluster(database))
    ? await database.transaction((transaction) => recordOnCluster(transaction, rows))
    : await database.prepared<CallbackKeyRow>('record-deliveries', RECORD, columnArrays(rows, REPORT));
  if (written.length < deliveries.length) {
    const keys = columnArrays(rows, ATTEMPT_KEY);
    written.push(...(await database.prepared<CallbackKeyRow>('recorded-deliveries', RECORDED, keys)));
  }
  const keys = new Set(written.map(textOf));
  return deliveries.map(({ merchantId, callbackId }) => keys.has(keyText(merchantId, callbackId)));
}

async function recordOnCluster(
  transaction: Queryable,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<CallbackKeyRow[]> {
  const values = columnArrays(rows, REPORT);
  const held = await transaction.prepared<CallbackKeyRow>('cluster-hold-deliveries', HOLD_ON_CLUSTER, values);
  const keys = new Set(held.map(textOf));
  const recorded = rows.filter((row) => keys.has(textOf(row as CallbackKeyRow)));
  if (recorded.length > 0)
    await transaction.prepared('cluster-record-deliveries', INSERT_ON_CLUSTER, columnArrays(recorded, REPORT));
  return held;
}

type CallbackKeyRow = Pick<CallbackRow, 'merchant_id' | 'callback_id'>;

const keyText = (merchantId: string, callbackId: string) => `${merchantId}/${callbackId}`;
const textOf = (row: CallbackKeyRow) => keyText(row.merchant_id, row.callback_id);

function deliveryRow({ merchantId, callbackId, fence, delivery }: LaneDelivery): Record<string, unknown> {
  const { attempt, next, firstAttemptAt, finishedAt } = delivery;
  return {
    merchant_id: merchantId,
    callback_id: callbackId,
    fence,
    attempt: attempt.attempt,
    started_at: timestamp(attempt.startedAt),
    latency_ms: Math.round(attempt.latencyMs),
    http_status: attempt.httpStatus,
    outcome: attempt.outcome,
    reply: attempt.reply,
    sent: attempt.sent ? sentRow(attempt.sent) : null,
    state: next.state,
    due_at: timestampOrNull(next.state === 'due' ? next.dueAt : null),
    first_attempt_at: timestamp(firstAttemptAt),
    finished_at: timestampOrNull(next.state === 'due' ? null : finishedAt),
  };
}

type ReleaseOutcome = 'done' | 'due_again' | 'locked';

/** How long a release waits for a lane that another commit locks. Afterwards the lane stays held until its lease expires. */
const RELEASE_PATIENCE_MS = 10 * SECOND_MS;
const RELEASE_AGAIN_MS = 10;

async function releaseInTime(clock: Clock, attempt: () => Promise<ReleaseOutcome>): Promise<boolean> {
  for (const giveUpAt = clock.now() + RELEASE_PATIENCE_MS; clock.now() < giveUpAt; ) {
    const outcome = await attempt();
    if (outcome !== 'locked') return outcome === 'due_again';
    await clock.sleep(RELEASE_AGAIN_MS);
  }
  throw new Error('the lane stayed locked by another commit');
}

async function release(
  database: Database,
  lockLanes: LockLanes,
  releases: readonly LaneRelease[],
): Promise<ReleaseOutcome[]> {
  return database.transaction(async (transaction) => {
    const locked = new Set(
      await lockLanes(
        transaction,
        releases.map(({ merchantId }) => merchantId),
      ),
    );
    const rows = releases.filter(({ merchantId }) => locked.has(merchantId)).map(releaseRow);
    const released = await transaction.prepared<{ merchant_id: string; ready_at: number }>('release-lanes', RELEASE, [
      rows.map((row) => row['merchant_id']),
      JSON.stringify(rows),
    ]);
    const readyAt = new Map(released.map((row) => [row.merchant_id, row.ready_at]));
    return releases.map(({ merchantId, now }) => {
      if (!locked.has(merchantId)) return 'locked';
      return (readyAt.get(merchantId) ?? Number.POSITIVE_INFINITY) <= now ? 'due_again' : 'done';
    });
  });
}

function releaseRow({ merchantId, fence, breaker, now }: LaneRelease): Record<string, unknown> {
  return {
    merchant_id: merchantId,
    fence,
    failures: breaker.failures,
    paused_until: timestampOrNull(breaker.pausedUntil),
    now: timestamp(now),
  };
}

const LOCK = `
select merchant_id from callback_lanes where merchant_id = any($1::text[]) for no key update skip locked`;
const LOCK_ONE = 'select merchant_id from callback_lanes where merchant_id = $1 for no key update skip locked';

/**
 * Locks lanes until the end of the transaction. Returns the merchants of the locked lanes. It skips a lane that another
 * transaction locked, so batches of lanes never deadlock, and a commit that hangs delays only its own merchant.
 */
type LockLanes = (transaction: Queryable, merchants: readonly MerchantId[]) => Promise<MerchantId[]>;

/** Citus allows SKIP LOCKED only with a filter on one merchant, so on a cluster each lane uses its own statement. */
function createLaneLock(isCluster: ClusterQuestion): LockLanes {
  return async (transaction, merchants) => {
    if (!(await isCluster(transaction))) {
      const rows = await transaction.prepared<{ merchant_id: string }>('lock-lanes', LOCK, [merchants]);
      return rows.map((row) => row.merchant_id);
    }
    const locked: MerchantId[] = [];
    for (const merchant of merchants) {
      if ((await transaction.prepared('lock-lane', LOCK_ONE, [merchant])).length > 0) locked.push(merchant);
    }
    return locked;
  };
}
