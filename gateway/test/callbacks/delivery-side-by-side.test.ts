/** Delivery in real time: several concurrent workers, and merchants with failing and healthy servers. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from '../../src/foundation/clock.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { verifyMd5, verifyXSign } from '../../src/protocol/signatures/merchant-signature.ts';
import { until } from '../support/tools/until.ts';
import { ANSWERS, type Answer, createStage, KEY, type Stage } from './stage.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const IS_FULL = process.env['TEST_FULL'] !== undefined;
const ROUNDS = 40;
/** The timeout of the transport. */
const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

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
    await stage.commitCallbacks(callbacks.slice(start, start + 50));
    for (const worker of workers) worker.nudge();
  }
  await until('all are delivered', () => delivered() === total);
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

/** Longer than an attempt can take, and shorter than the first pause of a breaker. */
const WITHIN_PAUSE_MS = 25 * SECOND_MS;

/** Attempts never time out here, so a healthy callback that waited for a hanging request would never be delivered. */
const clockWithoutTimeouts: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    ms > ATTEMPT_TIMEOUT_MS - SECOND_MS && ms <= ATTEMPT_TIMEOUT_MS
      ? new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      : systemClock.sleep(ms, signal),
};

test('a merchant’s broken server does not delay the callbacks of other merchants', async () => {
  await stage.close();
  stage = await createStage(clockWithoutTimeouts);
  const { ok, ...wrong } = ANSWERS;
  const misbehaving = Object.keys(wrong) as (keyof typeof wrong)[];
  const healthy = Array.from({ length: 24 }, (_, index) => `H${index}`);
  for (const merchantId of healthy) stage.merchant(merchantId, ok);
  for (const kind of misbehaving) stage.merchant(kind, wrong[kind]);
  // The four requests of each hanging merchant would fill the fast sockets, so without the limit they would occupy all fast
  // sockets and later all slow ones.
  const worker = stage.worker({ fastSockets: 8, slowSockets: 16, drainMs: 0, leaseMs: 10 * MINUTE_MS });
  for (let round = 1; round <= ROUNDS; round++) {
    await stage.commitCallbacks(
      [...healthy, ...misbehaving].map((merchantId) => ({ merchantId, callbackId: `p_${round}` })),
    );
    worker.nudge();
    await until('every healthy merchant received the round', () => delivered() === round * healthy.length);
  }
  const ages = stage.events.flatMap((event) => (event.kind === 'delivered' ? [event.ageMs] : [])).sort((a, b) => a - b);
  const p99 = ages[Math.floor(ages.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  assert(!IS_FULL || p99 < 1_000, `the healthy merchants' p99 is ${p99} ms over ${ages.length} callbacks`);

  const attempts = (kind: string) => stage.arrivals.filter(({ merchantId }) => merchantId === kind);
  const outcomes = () =>
    Object.fromEntries(
      stage.events.flatMap((event) => (event.kind === 'attempted' ? [[event.merchantId, event.outcome]] : [])),
    );
  await until(
    'every other server but the hanging ones has ended an attempt',
    () => Object.keys(outcomes()).length === 28,
  );
  const { fails, redirects, mumbles, dropsReply } = outcomes();
  assert.deepEqual(
    [fails, redirects, mumbles, dropsReply],
    ['refused_status', 'redirected', 'refused_body', 'unreachable'],
  );
  for (const kind of ['fails', 'redirects']) {
    await until(`${kind} receives its attempts`, () => attempts(kind).length >= 5);
    const since = attempts(kind)[0]?.at ?? 0;
    const soon = attempts(kind).filter(({ at }) => at < since + WITHIN_PAUSE_MS);
    assert.equal(soon.length, 5, 'the breaker limits the attempts');
  }
  assert.deepEqual([attempts('hangs').length, attempts('drips').length], [1, 1], 'a hanging server has one connection');
});

test('no callback is lost or recorded twice while database connections are cut in a loop', async () => {
  const merchants = Array.from({ length: 10 }, (_, index) => `M${index}`);
  for (const merchantId of merchants)
    stage.merchant(merchantId, (response) => setTimeout(() => response.end('OK'), 20));
  const callbacks = Array.from({ length: 400 }, (_, index) => ({
    merchantId: `M${index % 10}`,
    callbackId: `payout_${index}`,
  }));
  await stage.commitCallbacks(callbacks);
  const limits = { leaseMs: 4_000, sendingEndsMs: 2_000 };
  stage.worker(limits);
  stage.worker(limits);
  for (let cut = 0; cut < 10; cut++) {
    await stage.cutConnections();
    await wait(100);
  }
  const stillDue = async () =>
    (await stage.database.query(`select from callbacks where state = 'due' limit 1`)).length > 0;
  await until('all are delivered', async () => !(await stillDue()));
  assert.equal(new Set(stage.arrivals.map(({ id }) => id)).size, 400);
  const attempts = await stage.database.query<{ count: number }>('select count(*)::int from callback_attempts');
  assert.deepEqual(attempts, [{ count: 400 }]);
});
