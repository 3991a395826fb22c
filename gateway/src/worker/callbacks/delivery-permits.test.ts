import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryPermits } from './lane-turn.ts';

const settled = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise((done) => setImmediate(done, false))]);

test('a request waits for a socket while the fast pool is full', async () => {
  const permits = createDeliveryPermits(1, 1);
  const first = await permits.acquire();
  const [second, third] = [permits.acquire(), permits.acquire()];
  assert.equal(await settled(second), false);
  first.release();
  assert.equal(await settled(second), true);
  assert.equal(await settled(third), false);
  (await second).release();
  (await third).release();
  assert.deepEqual(permits.inFlight(), { fast: 0, slow: 0 });
});

test('a request that moves to the slow pool frees its fast socket', async () => {
  const permits = createDeliveryPermits(1, 1);
  const slow = await permits.acquire();
  const next = permits.acquire();
  slow.moveToSlow();
  assert.equal(await settled(next), true);
  assert.deepEqual(permits.inFlight(), { fast: 1, slow: 1 });
  slow.release();
  assert.deepEqual(permits.inFlight(), { fast: 1, slow: 0 });
});

test('a request keeps its fast socket while the slow pool is full, and a second release changes nothing', async () => {
  const permits = createDeliveryPermits(1, 1);
  (await permits.acquire()).moveToSlow();
  const stuck = await permits.acquire();
  stuck.moveToSlow();
  const next = permits.acquire();
  assert.equal(await settled(next), false);
  stuck.release();
  stuck.release();
  stuck.moveToSlow();
  assert.equal(await settled(next), true);
  assert.deepEqual(permits.inFlight(), { fast: 1, slow: 1 });
});
