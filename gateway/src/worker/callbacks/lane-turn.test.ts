import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { dueCallback } from '../../../test/support/payouts/due-callback.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { createDeliveryPermits } from './delivery-permits.ts';
import { createRecentDeliveries } from './recent-deliveries.ts';

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

test('a request keeps its fast socket while the slow pool is full, and a second release has no effect', async () => {
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

const callback = (callbackId: string, createdAt: number) => dueCallback({ callbackId, createdAt });

describe('the recent deliveries of a process', () => {
  it('recent deliveries never report a recorded callback as unsent, even to a late query', () => {
    for (let createdAt = 0; createdAt < 5_000; createdAt += 250) {
      for (let takes = 0; takes < 3_000; takes += 250) {
        const clock = createManualClock(0);
        const memory = createRecentDeliveries(clock);
        const one = callback('one', createdAt);
        clock.advance(createdAt + takes);
        memory.recorded(one);
        for (let later = 0; later < 6_000; later += 250) {
          assert.notEqual(memory.ask(one), 'unsent', `created at ${createdAt}, queried ${later} later`);
          clock.advance(250);
          memory.recorded(callback('another', clock.now()));
        }
      }
    }
  });

  it('recent deliveries report an unknown new callback as unsent and an unknown old callback as too_old', () => {
    const clock = createManualClock(10_000);
    const memory = createRecentDeliveries(clock);
    assert.equal(memory.ask(callback('new', 9_000)), 'unsent');
    assert.equal(memory.ask(callback('old', 1_000)), 'too_old');
  });
});
