import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import type { Callback, DeliveryOutcome, NewCallback } from '../../domain/callbacks/callback.ts';
import type { CallbackStore } from '../../domain/callbacks/callback-store.ts';
import type { ClaimedLane, LaneStore } from '../../domain/callbacks/lane-store.ts';
import type { DeliveryState, PlannedDelivery } from '../../domain/callbacks/plan-delivery.ts';
import { MINUTE_MS, SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { createSeededRandom } from '../../foundation/random.ts';
import { type Database, openDatabase } from '../core/database.ts';
import { createCallbackStore, insertCallbacks } from './callback-store.ts';
import { createLaneStore } from './lane-store.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const RACES = 100;
const CLOSED = { failures: 0, pausedUntil: null };

let server: TestDatabase;
let database: Database;
let queue: LaneStore;
let store: CallbackStore;

before(async () => {
  server = await createTestDatabase();
  database = openDatabase(server.config, { poolSize: 8 });
  queue = createLaneStore(database, systemClock);
  store = createCallbackStore(database);
});
beforeEach(() => server.pool.query('truncate callbacks, callback_lanes, callback_attempts'));
after(async () => {
  await database.close();
  await server.close();
});

function newCallback(merchantId: string, callbackId: string, more: Partial<NewCallback> = {}): NewCallback {
  const payload = { merchant: merchantId, payout_id: callbackId };
  return {
    merchantId,
    callbackId,
    subject: 'payout',
    subjectId: callbackId,
    payload,
    state: 'due',
    createdAt: NOW,
    ...more,
  };
}

const insert = (...callbacks: NewCallback[]) =>
  database.transaction((transaction) => insertCallbacks(transaction, callbacks));

const claim = (now = NOW, lanes = 10): Promise<readonly ClaimedLane[]> =>
  queue.claim({ now, leaseUntil: now + MINUTE_MS, lanes, callbacks: 10 });

async function claimOne(now = NOW): Promise<ClaimedLane> {
  const [lane, ...others] = await claim(now);
  assert(lane !== undefined && others.length === 0, 'exactly one lane was ready');
  return lane;
}

const release = (lane: ClaimedLane, now = NOW, breaker: ClaimedLane['breaker'] = CLOSED) =>
  queue.release({ merchantId: lane.merchantId, fence: lane.fence, now, breaker });

function outcomeOf(callback: Callback, outcome: DeliveryOutcome, next: DeliveryState, at = NOW): PlannedDelivery {
  const attempt = {
    attempt: callback.attempts + 1,
    startedAt: at,
    latencyMs: 12,
    httpStatus: 200,
    outcome,
    reply: 'OK',
  };
  return { attempt, firstAttemptAt: callback.firstAttemptAt ?? at, finishedAt: at + 12, next };
}

function record(
  lane: ClaimedLane,
  callback: Callback | undefined,
  next: DeliveryState = { state: 'delivered' },
): Promise<boolean> {
  assert(callback);
  const outcome = next.state === 'delivered' ? 'accepted' : 'refused_status';
  const { callbackId } = callback;
  return queue.record({ ...lane, callbackId, delivery: outcomeOf(callback, outcome, next) });
}

const laneRow = async (merchantId: string) =>
  (await server.pool.query('select * from callback_lanes where merchant_id = $1', [merchantId])).rows[0];

test('a claim returns inserted callbacks unchanged, with the earliest due first and grouped by merchant', async () => {
  const older = newCallback('M1', 'b', { createdAt: NOW - 5, payload: { z: '1', a: '2' } });
  await insert(newCallback('M1', 'a'), older, newCallback('M2', 'c'));
  const lanes = await claim();
  assert.deepEqual(lanes.map(({ merchantId, due }) => [merchantId, due.map(({ callbackId }) => callbackId)]).sort(), [
    ['M1', ['b', 'a']],
    ['M2', ['c']],
  ]);
  const first = lanes.find(({ merchantId }) => merchantId === 'M1')?.due[0];
  assert.deepEqual(first, {
    ...older,
    attempts: 0,
    scheduleStart: 0,
    firstAttemptAt: null,
    dueAt: NOW - 5,
    finishedAt: null,
  });
  assert.deepEqual(Object.keys(first?.payload ?? {}), ['z', 'a']);
});

test('a callback that the merchant disabled does not schedule a delivery', async () => {
  await insert(newCallback('M1', 'a'));
  await insert(newCallback('M1', 'a', { payload: { other: '1' } }), newCallback('M2', 'b', { state: 'not_wanted' }));
  const lane = await claimOne();
  assert.deepEqual(
    lane.due.map(({ payload }) => payload),
    [{ merchant: 'M1', payout_id: 'a' }],
  );
  const notWanted = await store.find({ merchantId: 'M2', callbackId: 'b' });
  assert.deepEqual([notWanted?.callback.state, notWanted?.callback.finishedAt], ['not_wanted', NOW]);
});

test('a lane has one holder until its release or until the lease of a crashed holder expires', async () => {
  await insert(newCallback('M1', 'a'));
  const first = await claimOne();
  assert.deepEqual(await claim(NOW + MINUTE_MS - 1), []);
  const second = await claimOne(NOW + MINUTE_MS);
  assert.equal(second.fence, first.fence + 1);
  assert.equal(await record(first, first.due[0]), false);
  assert.equal(await release(first), false);
  assert.notEqual((await laneRow('M1')).lease_until, null);
  assert.equal(await record(second, second.due[0]), true);
});

test('a recorded attempt is stored and moves its callback to the state that follows from its outcome', async () => {
  await insert(newCallback('M1', 'a'), newCallback('M1', 'b'), newCallback('M1', 'c'));
  const lane = await claimOne();
  const dueAt = NOW + MINUTE_MS;
  const [a, b, c] = lane.due;
  const recorded = await Promise.all([
    record(lane, a),
    record(lane, b, { state: 'due', dueAt }),
    record(lane, c, { state: 'undelivered' }),
  ]);
  assert.deepEqual(recorded, [true, true, true]);
  const found = await Promise.all(lane.due.map((callback) => store.find(callback)));
  assert.deepEqual(
    found.map((one) => [one?.callback.state, one?.callback.dueAt, one?.callback.finishedAt, one?.attempts.length]),
    [
      ['delivered', null, NOW + 12, 1],
      ['due', dueAt, null, 1],
      ['undelivered', null, NOW + 12, 1],
    ],
  );
  assert.deepEqual(found[0]?.attempts, [
    { attempt: 1, startedAt: NOW, latencyMs: 12, httpStatus: 200, outcome: 'accepted', reply: 'OK' },
  ]);
  assert.equal(await release(lane), false);
  assert.equal((await laneRow('M1')).due_at.getTime(), dueAt);
});

test('an attempt that is recorded again because the first commit’s response was lost is counted once', async () => {
  await insert(newCallback('M1', 'a'));
  const lane = await claimOne();
  assert.deepEqual([await record(lane, lane.due[0]), await record(lane, lane.due[0])], [true, true]);
  assert.equal((await store.find({ merchantId: 'M1', callbackId: 'a' }))?.attempts.length, 1);
});

test('a batch of callback records that runs again counts each attempt once', async () => {
  await insert(newCallback('M1', 'a'), newCallback('M1', 'b'));
  const lane = await claimOne();
  const [a, b] = lane.due;
  assert(a);
  const dueAt = NOW + MINUTE_MS;
  const stillDue = { state: 'due', dueAt } as const;
  assert.equal(await record(lane, a, stillDue), true);
  assert.deepEqual(await Promise.all([record(lane, a, stillDue), record(lane, b, stillDue)]), [true, true]);
  const skipped = outcomeOf({ ...a, attempts: 2 }, 'refused_status', stillDue, NOW + 1);
  assert.equal(await queue.record({ ...lane, callbackId: 'a', delivery: skipped }), false);
  const second = outcomeOf({ ...a, attempts: 1 }, 'refused_status', stillDue, NOW + 1);
  assert.equal(await queue.record({ ...lane, callbackId: 'a', delivery: second }), true);
  const found = await store.find(a);
  assert.deepEqual([found?.callback.attempts, found?.attempts.map(({ attempt }) => attempt)], [2, [1, 2]]);
});

test('a delivered callback stays delivered whatever a former lane holder reports', async () => {
  await insert(newCallback('M1', 'a'));
  const lane = await claimOne();
  await record(lane, lane.due[0]);
  const [callback] = lane.due;
  assert(callback);
  const late = outcomeOf({ ...callback, attempts: 1 }, 'timed_out', { state: 'undelivered' });
  assert.equal(await queue.record({ ...lane, callbackId: 'a', delivery: late }), false);
  assert.equal((await store.find(callback))?.callback.state, 'delivered');
});

test('a released lane with an overdue callback queues behind the lanes that were already waiting', async () => {
  await insert(newCallback('M1', 'a'));
  const lane = await claimOne();
  await insert(newCallback('M2', 'b', { createdAt: NOW + 1 }));
  assert.equal(await release(lane, NOW + SECOND_MS), true);
  const [next] = await claim(NOW + SECOND_MS, 1);
  assert.equal(next?.merchantId, 'M2');
});

test('a pause holds a lane with all its callbacks until the pause ends or an operator resends', async () => {
  await insert(newCallback('M1', 'a'));
  const pausedUntil = NOW + MINUTE_MS;
  assert.equal(await release(await claimOne(), NOW, { failures: 5, pausedUntil }), false);
  await insert(newCallback('M1', 'b'));
  assert.deepEqual(await claim(pausedUntil - 1), []);
  const probe = await claimOne(pausedUntil);
  assert.equal(probe.breaker.failures, 5);
  await release(probe, pausedUntil, { failures: 6, pausedUntil: pausedUntil + MINUTE_MS });
  await store.resend({ merchantId: 'M1', callbackId: 'a' }, pausedUntil);
  assert.equal((await claim(pausedUntil)).length, 1);
});

test('a resent callback precedes the backlog of its merchant', async () => {
  await insert(newCallback('M1', 'sent'));
  const lane = await claimOne();
  await record(lane, lane.due[0]);
  await release(lane);
  await insert(newCallback('M1', 'a'), newCallback('M1', 'b', { createdAt: NOW + 1 }));
  await store.resend({ merchantId: 'M1', callbackId: 'sent' }, NOW + MINUTE_MS);
  const { due } = await claimOne(NOW + MINUTE_MS);
  assert.deepEqual(
    due.map(({ callbackId }) => callbackId),
    ['sent', 'a', 'b'],
  );
});

test('a resend makes a callback due with a new schedule', async () => {
  await insert(
    newCallback('M1', 'a'),
    newCallback('M1', 'b'),
    newCallback('M1', 'old', { createdAt: NOW - 9 }),
    newCallback('M1', 'off', { state: 'not_wanted' }),
  );
  const lane = await claimOne();
  for (const callback of lane.due)
    await record(lane, callback, { state: callback.callbackId === 'a' ? 'delivered' : 'undelivered' });
  await release(lane);
  assert.deepEqual(await claim(), []);
  const later = NOW + MINUTE_MS;
  assert.equal(await store.resend({ merchantId: 'M1', callbackId: 'a' }, later), 'delivered');
  assert.equal(await store.resend({ merchantId: 'M1', callbackId: 'off' }, later), 'not_wanted');
  assert.equal(await store.resend({ merchantId: 'M1', callbackId: 'none' }, later), undefined);
  assert.equal(await store.resend({ merchantId: 'M2', callbackId: 'a' }, later), undefined, 'another merchant’s');
  assert.equal(await store.resendUndelivered('M1', NOW, later), 1);
  const { due } = await claimOne(later);
  assert.deepEqual(
    due
      .map(({ callbackId, attempts, scheduleStart, firstAttemptAt }) => [
        callbackId,
        attempts,
        scheduleStart,
        firstAttemptAt,
      ])
      .sort(),
    [
      ['a', 1, 1, null],
      ['b', 1, 1, null],
    ],
  );
});

test('a claim never misses a callback that is inserted during a release or claim of its lane, in many races', async () => {
  const random = createSeededRandom('race');
  const pause = () => new Promise((resolve) => setTimeout(resolve, random.fraction() * 2));
  const insertSlowly = (id: string) =>
    database.transaction(async (transaction) => {
      if (random.fraction() < 0.5) await pause();
      await insertCallbacks(transaction, [newCallback('M1', id)]);
      if (random.fraction() < 0.5) await pause();
    });
  const letGo = async (lane: ClaimedLane) => {
    if (random.fraction() < 0.5) await pause();
    await release(lane);
    if (random.fraction() < 0.5) return undefined;
    return (await claim())[0];
  };
  await insert(newCallback('M1', 'first'));
  let lane = await claimOne();
  await record(lane, lane.due[0]);
  for (let round = 0; round < RACES; round++) {
    const [taken] = await Promise.all([letGo(lane), insertSlowly(`r${round}`)]);
    if (taken) await release(taken);
    lane = await claimOne();
    assert.deepEqual(
      lane.due.map(({ callbackId }) => callbackId),
      [`r${round}`],
    );
    assert.equal(await record(lane, lane.due[0]), true);
  }
});

test('a commit that hangs delays only the callbacks of its own merchant', async () => {
  await insert(newCallback('M1', 'a'), newCallback('M2', 'b'));
  const lanes = await claim();
  await insert(newCallback('M3', 'c'), newCallback('M4', 'd'));
  const { connection: hanging, release: disconnect } = await database.connect();
  await hanging.query('begin');
  await insertCallbacks(hanging, [newCallback('M1', 'late'), newCallback('M3', 'late')]);
  try {
    assert.deepEqual(
      (await claim()).map(({ merchantId }) => merchantId),
      ['M4'],
    );
    const let1Go = lanes.filter(({ merchantId }) => merchantId === 'M1').map((lane) => release(lane));
    await Promise.all(lanes.filter(({ merchantId }) => merchantId === 'M2').map((lane) => release(lane)));
    assert.deepEqual(
      (await claim()).map(({ merchantId }) => merchantId),
      ['M2'],
    );
    await hanging.query('commit');
    assert.deepEqual(await Promise.all(let1Go), [true]);
    const after = (await claim()).map(({ merchantId, due }) => [merchantId, due.length]).sort();
    assert.deepEqual(after, [
      ['M1', 2],
      ['M3', 2],
    ]);
  } finally {
    disconnect();
  }
});

test('two processes that claim, record and release lanes during inserts neither deadlock nor share a lane', async () => {
  const merchants = Array.from({ length: 20 }, (_, index) => `M${index}`);
  const random = createSeededRandom('batches');
  const delivered = new Map<string, number>();
  let inserting = true;
  const inserter = async (name: string) => {
    for (let round = 0; round < 40; round++) {
      const chosen = merchants.filter(() => random.fraction() < 0.5).sort(() => random.fraction() - 0.5);
      await insert(...chosen.map((merchantId) => newCallback(merchantId, `${name}-${round}`)));
    }
  };
  const deliverer = async () => {
    const own = createLaneStore(database, systemClock);
    for (let idle = 0; idle < 3; ) {
      const lanes = await own.claim({ now: NOW, leaseUntil: NOW + MINUTE_MS, lanes: 8, callbacks: 100 });
      if (lanes.length === 0 && !inserting) idle++;
      await Promise.all(
        lanes.map(async (lane) => {
          for (const callback of lane.due)
            delivered.set(
              `${lane.merchantId}/${callback.callbackId}`,
              (delivered.get(`${lane.merchantId}/${callback.callbackId}`) ?? 0) + 1,
            );
          const written = await Promise.all(
            lane.due.map((callback) =>
              own.record({
                ...lane,
                callbackId: callback.callbackId,
                delivery: outcomeOf(callback, 'accepted', { state: 'delivered' }),
              }),
            ),
          );
          assert(written.every(Boolean));
          await own.release({ ...lane, now: NOW, breaker: CLOSED });
        }),
      );
    }
  };
  const inserted = Promise.all([inserter('x'), inserter('y'), inserter('z')]).finally(() => {
    inserting = false;
  });
  await Promise.all([inserted, deliverer(), deliverer()]);
  const { rows } = await server.pool.query<{ state: string; count: number }>(
    'select state, count(*)::int from callbacks group by state',
  );
  assert.deepEqual(rows, [{ state: 'delivered', count: delivered.size }]);
  assert.deepEqual(
    [...delivered.values()].filter((times) => times !== 1),
    [],
  );
});
