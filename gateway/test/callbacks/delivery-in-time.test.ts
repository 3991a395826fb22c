/** Delivery with a clock that only the test advances: retries, the breaker, leases and shutdowns. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { explainCallback } from '../../src/domain/callbacks/explain-callback.ts';
import { RETRY_OFFSETS_MS } from '../../src/domain/callbacks/plan-delivery.ts';
import { resendCallback, resendUndelivered } from '../../src/domain/callbacks/resend-callback.ts';
import { createManualClock, type ManualClock, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { createLaneStore } from '../../src/storage/callbacks/lane-store.ts';
import { type CallbackDelivery, LEASE_MS } from '../../src/worker/callbacks/callback-delivery.ts';
import { until } from '../support/tools/until.ts';
import { ANSWERS, aMoment, createStage, type Stage } from './stage.ts';

const START = Date.UTC(2026, 10, 20, 10);

let clock: ManualClock;
let stage: Stage;

beforeEach(async () => {
  clock = createManualClock(START);
  stage = await createStage(clock);
});
afterEach(async () => {
  const closing = stage.close();
  const timer = setInterval(() => clock.advance(SECOND_MS), 1);
  await closing.finally(() => clearInterval(timer));
});

/**
 * Waits until the worker releases the lane, which it keeps for a moment after the last callback. The clock stops while a
 * request is in flight.
 */
const letGo = (worker: CallbackDelivery) =>
  until('the worker releases the lane', () => {
    const { lanes, fast, slow } = worker.inFlight();
    if (fast + slow === 0) clock.advance(10);
    return lanes === 0;
  });

const attemptsOf = async (callbackId: string) => (await stage.find('M1', callbackId)).attempts.length;

test('a callback without an acknowledgement is repeated at the decided offsets under one webhook-id, then stops', async () => {
  stage.merchant('M1', ANSWERS.fails);
  await stage.commitCallback('M1', 'payout_1');
  const worker = stage.worker();
  for (let attempt = 1; attempt <= RETRY_OFFSETS_MS.length; attempt++) {
    worker.nudge();
    await until(`attempt ${attempt}`, async () => (await attemptsOf('payout_1')) === attempt);
    const { callback } = await stage.find('M1', 'payout_1');
    if (attempt === RETRY_OFFSETS_MS.length) break;
    await letGo(worker);
    clock.advance((callback.dueAt ?? 0) - clock.now() - 1);
    worker.nudge();
    await aMoment();
    assert.equal(stage.arrivals.length, attempt, 'nothing is sent before it is due');
    clock.advance(1);
  }
  stage.arrivals.forEach(({ at, id }, index) => {
    const offset = RETRY_OFFSETS_MS[index] ?? 0;
    const step = offset - (RETRY_OFFSETS_MS[index - 1] ?? 0);
    assert.equal(id, 'payout_1');
    assert(at - START >= offset && at - START <= offset + step / 10, `attempt ${index + 1} at ${at - START}`);
  });
  const { callback } = await stage.find('M1', 'payout_1');
  assert.deepEqual([callback.state, callback.dueAt], ['undelivered', null]);
  const given = stage.events.filter(({ kind }) => kind === 'undelivered');
  assert.deepEqual(given, [
    { kind: 'undelivered', merchantId: 'M1', callbackId: 'payout_1', outcome: 'refused_status' },
  ]);
});

test('a receiver that dropped its response gets the callback again under the same webhook-id', async () => {
  let replies = 0;
  stage.merchant('M1', (response) => (replies++ === 0 ? response.destroy() : response.end('OK')));
  await stage.commitCallback('M1', 'payout_1');
  const worker = stage.worker();
  await until('the first attempt', async () => (await attemptsOf('payout_1')) === 1);
  await letGo(worker);
  clock.advance(2 * MINUTE_MS);
  await until('the second', async () => (await stage.find('M1', 'payout_1')).callback.state === 'delivered');
  assert.deepEqual(
    stage.arrivals.map(({ id }) => id),
    ['payout_1', 'payout_1'],
  );
  const { attempts } = await stage.find('M1', 'payout_1');
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['unreachable', 'accepted'],
  );
});

test('five consecutive failures open a lane’s breaker, which probes after growing pauses and closes after one success', async () => {
  let healthy = false;
  stage.merchant('M1', (response) => (healthy ? response.end('OK') : response.writeHead(500).end()));
  await stage.commitCallbacks(
    Array.from({ length: 20 }, (_, index) => ({ merchantId: 'M1', callbackId: `payout_${index}` })),
  );
  const worker = stage.worker();
  const idle = async (arrivals: number) => {
    await until(`${arrivals} arrivals`, () => stage.arrivals.length >= arrivals);
    await letGo(worker);
    worker.nudge();
    await aMoment();
    assert.equal(stage.arrivals.length, arrivals);
  };
  await idle(5);
  const explained = explainCallback(await stage.find('M1', 'payout_19'), clock.now());
  assert.deepEqual([explained?.reason, explained?.nextAt], ['server_failing', START + 30 * SECOND_MS]);
  clock.advance(30 * SECOND_MS);
  await idle(6);
  clock.advance(59 * SECOND_MS);
  await idle(6);
  healthy = true;
  clock.advance(SECOND_MS);
  await until(
    'every callback that was never sent arrives',
    () => new Set(stage.arrivals.map(({ id }) => id)).size === 20,
  );
  assert(stage.events.some(({ kind }) => kind === 'lane_resumed'));
  // A callback arrives before the gateway records it.
  await until(
    'the delivery is recorded',
    async () => (await stage.find('M1', 'payout_19')).callback.state === 'delivered',
  );
  assert.equal(await attemptsOf('payout_19'), 1, 'waiting is not an attempt');
});

test('another worker claims the lane of a dead worker after its lease expires', async () => {
  stage.merchant('M1', ANSWERS.ok);
  await stage.commitCallback('M1', 'payout_1');
  const dead = createLaneStore(stage.database, clock);
  await dead.claim({ now: START, leaseUntil: START + LEASE_MS, lanes: 1, callbacks: 1 });
  const worker = stage.worker();
  clock.advance(LEASE_MS - 1);
  worker.nudge();
  await aMoment();
  assert.equal(stage.arrivals.length, 0);
  clock.advance(1);
  worker.nudge();
  await until('the delivery', async () => (await stage.find('M1', 'payout_1')).callback.state === 'delivered');
});

test('a worker that resumes after its lease expired does not send a callback', async () => {
  stage.merchant('M1', ANSWERS.ok);
  await stage.commitCallback('M1', 'payout_1');
  let wakeUp = () => {};
  stage.directoryDelay = new Promise((resolve) => {
    wakeUp = resolve;
  });
  // Allow only one lane, because the next round of the worker would also compete for it.
  const late = stage.worker({ lanes: 1 });
  await until('the lane is claimed', () => late.inFlight().lanes === 1);
  clock.advance(LEASE_MS);
  const other = createLaneStore(stage.database, clock);
  const now = clock.now();
  const taken = await other.claim({ now, leaseUntil: now + LEASE_MS, lanes: 1, callbacks: 1 });
  assert.equal(taken.length, 1);
  wakeUp();
  await until('the late worker stops', () => late.inFlight().lanes === 0);
  assert.equal(stage.arrivals.length, 0);
  assert.equal((await stage.find('M1', 'payout_1')).lane?.leaseUntil, now + LEASE_MS, 'the new holder keeps the lane');
});

test('a lane pauses after an internal error and is retried', async () => {
  stage.merchant('M1', ANSWERS.ok);
  await stage.commitCallback('M1', 'payout_1');
  const lost = Promise.reject(new Error('the directory lost its database'));
  lost.catch(() => undefined);
  stage.directoryDelay = lost;
  const worker = stage.worker();
  await until('the error is reported', () => stage.events.some(({ kind }) => kind === 'lane_abandoned'));
  stage.directoryDelay = undefined;
  worker.nudge();
  await aMoment();
  assert.equal(stage.arrivals.length, 0);
  clock.advance(5 * SECOND_MS);
  await until('the delivery', async () => (await stage.find('M1', 'payout_1')).callback.state === 'delivered');
});

test('a callback without a URL is undelivered immediately, and a resend delivers it after a URL is set', async () => {
  stage.merchant('M1', ANSWERS.ok, { processUrl: null });
  await stage.commitCallback('M1', 'payout_1');
  const worker = stage.worker();
  await until(
    'the callback is undelivered',
    async () => (await stage.find('M1', 'payout_1')).callback.state === 'undelivered',
  );
  const record = await stage.find('M1', 'payout_1');
  assert.deepEqual(
    record.attempts.map(({ outcome }) => outcome),
    ['no_address'],
  );
  assert.equal(explainCallback(record, clock.now())?.reason, 'undelivered');
  stage.merchant('M1', ANSWERS.ok);
  await letGo(worker);
  const { store: callbacks, merchants } = stage;
  const parts = { callbacks, merchants, clock, onDue: worker.nudge };
  assert.deepEqual(await resendUndelivered(parts, 'M1', START), { ok: true, value: 1 });
  await until('the delivery', async () => (await stage.find('M1', 'payout_1')).callback.state === 'delivered');
  await letGo(worker);
  assert.deepEqual(await resendCallback(parts, { merchantId: 'M1', callbackId: 'payout_1' }), {
    ok: true,
    value: 'delivered',
  });
  await until('the delivery after the resend', () => stage.arrivals.length === 2);
  const nobody = { ok: false, error: 'merchant_not_found' } as const;
  assert.deepEqual(
    await resendUndelivered(parts, 'm1', START),
    nobody,
    'an unknown merchant is reported, not taken for "none"',
  );
  assert.deepEqual(await resendCallback(parts, { merchantId: 'm1', callbackId: 'payout_1' }), nobody);
});

test('a retry waits for the receiver’s Retry-After', async () => {
  stage.merchant('M1', (response) => response.writeHead(429, { 'retry-after': '600' }).end());
  await stage.commitCallback('M1', 'payout_1');
  stage.worker();
  await until('the attempt', async () => (await attemptsOf('payout_1')) === 1);
  const { callback } = await stage.find('M1', 'payout_1');
  assert.equal(callback.dueAt, START + 10 * MINUTE_MS);
});

test('a stopping worker sends no new callback, waits for requests in flight and records their results', async () => {
  let answer = () => {};
  stage.merchant('M1', (response) => {
    answer = () => response.end('OK');
  });
  await stage.commitCallbacks([
    { merchantId: 'M1', callbackId: 'payout_1' },
    { merchantId: 'M1', callbackId: 'payout_2' },
  ]);
  const worker = stage.worker();
  await until('the first request is in flight', () => stage.arrivals.length === 1);
  const stopped = worker.stop();
  answer();
  await stopped;
  const [first, second] = await Promise.all([stage.find('M1', 'payout_1'), stage.find('M1', 'payout_2')]);
  assert.deepEqual([first.callback.state, second.callback.state, second.attempts.length], ['delivered', 'due', 0]);
  assert.equal(first.lane?.leaseUntil, null);
});

test('a stopping worker aborts a hanging request, and the next worker sends that callback immediately without counting an attempt', async () => {
  stage.merchant('M1', ANSWERS.hangs);
  await stage.commitCallback('M1', 'payout_1');
  const worker = stage.worker({ drainMs: 2 * SECOND_MS });
  await until('the request is in flight', () => stage.arrivals.length === 1);
  const stopped = worker.stop();
  await aMoment();
  clock.advance(2 * SECOND_MS);
  await stopped;
  const { callback, attempts, lane } = await stage.find('M1', 'payout_1');
  assert.deepEqual([callback.state, callback.attempts, attempts.length, lane?.leaseUntil], ['due', 0, 0, null]);
  stage.merchant('M1', ANSWERS.ok);
  stage.worker();
  await until('the delivery', async () => (await stage.find('M1', 'payout_1')).callback.state === 'delivered');
});

test('a callback that waits longer than a second for its response frees its fast socket', async () => {
  for (const merchantId of ['M1', 'M2']) stage.merchant(merchantId, ANSWERS.hangs);
  stage.merchant('M3', ANSWERS.ok);
  await stage.commitCallbacks([
    { merchantId: 'M1', callbackId: 'a' },
    { merchantId: 'M2', callbackId: 'b' },
  ]);
  const worker = stage.worker({ fastSockets: 2 });
  await until('both hang', () => stage.arrivals.length === 2);
  await stage.commitCallback('M3', 'c');
  worker.nudge();
  await aMoment();
  assert.deepEqual([stage.arrivals.length, worker.inFlight().fast], [2, 2]);
  clock.advance(SECOND_MS);
  await until('the third callback is delivered', () => stage.arrivals.length === 3);
  assert.equal(worker.inFlight().slow, 2);
});

test('a callback that becomes due is not delayed by a slow response in the same lane', async () => {
  stage.merchant('M1', (response, { id }) => (id === 'slow' ? undefined : response.end('OK')));
  await stage.commitCallbacks([
    { merchantId: 'M1', callbackId: 'first' },
    { merchantId: 'M1', callbackId: 'slow' },
  ]);
  stage.worker();
  await until('the slow request is in flight', () => stage.arrivals.some(({ id }) => id === 'slow'));
  await stage.commitCallback('M1', 'later');
  clock.advance(SECOND_MS);
  await until(
    'the later one is delivered',
    async () => (await stage.find('M1', 'later')).callback.state === 'delivered',
  );
});

test('the holder of a lane sends each new callback once: its own without a claim, and those of other processes soon', async () => {
  stage.merchant('M1', ANSWERS.ok);
  const worker = stage.worker();
  const first = ['payout_1', 'payout_2', 'payout_3', 'payout_4'];
  await stage.commitCallbacks(first.map((callbackId) => ({ merchantId: 'M1', callbackId })));
  worker.nudge();
  await until('the first deliveries', () => stage.arrivals.length === 4);
  const before = stage.claims();
  worker.committed(await stage.commitCallback('M1', 'payout_5'));
  await until('the fifth delivery', () => stage.arrivals.length === 5);
  assert.equal(stage.claims(), before);
  await stage.commitCallback('M1', 'payout_6');
  await until('the sixth delivery', () => {
    clock.advance(10);
    return stage.arrivals.length === 6;
  });
  await letGo(worker);
  worker.committed(await stage.commitCallback('M1', 'payout_7'));
  await until('the seventh delivery', () => stage.arrivals.length === 7);
  await letGo(worker);
  const arrived = stage.arrivals.map(({ id }) => id);
  assert.deepEqual(arrived.sort(), [...first, 'payout_5', 'payout_6', 'payout_7']);
});
