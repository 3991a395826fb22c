/** Delivery in real time: several workers at once, and merchants with failing servers beside healthy ones. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { systemClock } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { verifyMd5 } from '../../src/protocol/signatures/md5-sign.ts';
import { verifyXSign } from '../../src/protocol/signatures/x-sign.ts';
import { until } from '../support/until.ts';
import { ANSWERS, type Answer, createStage, KEY, type Stage } from './stage.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let stage: Stage;

beforeEach(async () => {
  stage = await createStage(systemClock);
});
afterEach(() => stage.close());

const delivered = () => stage.events.filter(({ kind }) => kind === 'delivered').length;

test('two workers deliver each signed callback once and respect the cap per merchant', async () => {
  const merchants = Array.from({ length: 10 }, (_, index) => `M${index}`);
  const slowly: Answer = (response) => setTimeout(() => response.end('OK'), 3);
  for (const merchantId of merchants) stage.merchant(merchantId, slowly);
  const total = 1_000;
  const callbacks = Array.from({ length: total }, (_, index) => ({
    merchantId: `M${index % 10}`,
    callbackId: `payout_${index}`,
  }));
  const workers = [stage.worker({ perMerchant: 4 }), stage.worker({ perMerchant: 4 })];
  for (let start = 0; start < total; start += 50) {
    await stage.tellMany(callbacks.slice(start, start + 50));
    for (const worker of workers) worker.nudge();
  }
  await until('all are delivered', () => delivered() === total, 30_000);
  assert.equal(stage.arrivals.length, total);
  assert.equal(new Set(stage.arrivals.map(({ id }) => id)).size, total);
  assert(Math.max(...stage.mostAtOnce.values()) <= 4, 'the cap applies to both workers together');
  assert.equal(Math.max(...stage.mostAtOnce.values()), 4, 'the workers reach the cap');
  for (const { body, headers } of stage.arrivals) {
    const { sign, ...fields } = Object.fromEntries(new URLSearchParams(body));
    assert.equal(verifyMd5(fields, new Secret(KEY), sign ?? ''), true);
    assert.equal(verifyXSign(Buffer.from(body), new Secret(KEY), String(headers['x-sign'])), true);
  }
});

test('servers that fail, hang, redirect, answer slowly, answer wrongly or drop the reply do not delay other merchants', async () => {
  const { ok, ...wrong } = ANSWERS;
  const misbehaving = Object.keys(wrong) as (keyof typeof wrong)[];
  const healthy = Array.from({ length: 24 }, (_, index) => `H${index}`);
  for (const merchantId of healthy) stage.merchant(merchantId, ok);
  for (const kind of misbehaving) stage.merchant(kind, wrong[kind]);
  // Four requests of each hanging merchant would fill the fast sockets, so without the limit they would take all of
  // them.
  const worker = stage.worker({ fastSockets: 8, slowSockets: 64, drainMs: 0 });
  let told = 0;
  const endsAt = Date.now() + 4_000;
  while (Date.now() < endsAt) {
    const callbackId = `payout_${told++}`;
    await stage.tellMany([...healthy, ...misbehaving].map((merchantId) => ({ merchantId, callbackId })));
    worker.nudge();
    await wait(50);
  }
  await until('every healthy merchant received every callback', () => delivered() === told * healthy.length);
  const waits = stage.events
    .flatMap((event) => (event.kind === 'delivered' ? [event.ageMs] : []))
    .sort((a, b) => a - b);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  // A callback that waited for a hanging request would wait for its whole timeout.
  assert(p99 < 2_500, `the healthy merchants' p99 is ${p99} ms over ${waits.length} callbacks`);
  const outcomes = new Map(
    stage.events.flatMap((event) => (event.kind === 'attempted' ? [[event.merchantId, event.outcome]] : [])),
  );
  const { fails, redirects, mumbles, dropsReply } = Object.fromEntries(outcomes);
  assert.deepEqual(
    [fails, redirects, mumbles, dropsReply],
    ['refused_status', 'redirected', 'refused_body', 'unreachable'],
  );
  const sent = (kind: string) => stage.arrivals.filter(({ merchantId }) => merchantId === kind).length;
  assert.deepEqual([sent('fails'), sent('redirects')], [5, 5], 'the breaker limits the attempts');
  // One request each, or a second one after the 15-second timeout on a busy machine.
  assert(sent('hangs') <= 2 && sent('drips') <= 2, 'a server that does not answer occupies one connection');
});

test('database connections that are cut in a loop lose no callback, and each delivery is recorded once', async () => {
  const merchants = Array.from({ length: 10 }, (_, index) => `M${index}`);
  for (const merchantId of merchants)
    stage.merchant(merchantId, (response) => setTimeout(() => response.end('OK'), 20));
  const callbacks = Array.from({ length: 400 }, (_, index) => ({
    merchantId: `M${index % 10}`,
    callbackId: `payout_${index}`,
  }));
  await stage.tellMany(callbacks);
  const limits = { leaseMs: 4_000, sendingEndsMs: 2_000 };
  stage.worker(limits);
  stage.worker(limits);
  for (let cut = 0; cut < 10; cut++) {
    await stage.cutConnections();
    await wait(100);
  }
  const stillDue = async () =>
    (await stage.store.list({ merchantId: null, state: 'due', since: null, limit: 1 })).length > 0;
  await until('all are delivered', async () => !(await stillDue()), 30_000);
  assert.equal(new Set(stage.arrivals.map(({ id }) => id)).size, 400);
  const attempts = await stage.database.query<{ count: number }>('select count(*)::int from callback_attempts');
  assert.deepEqual(attempts, [{ count: 400 }]);
});
