import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { keepFresh } from './keep-fresh.ts';

function counted() {
  const clock = createManualClock(0);
  const failures: unknown[] = [];
  let reads = 0;
  let fault: Error | undefined;
  const read = async () => {
    reads += 1;
    if (fault) throw fault;
    return reads;
  };
  const value = keepFresh({ read, clock, onFailed: (error) => failures.push(error) });
  return { clock, failures, value, break: (error: Error | undefined) => (fault = error) };
}

describe('a refreshed value', () => {
  it('concurrent callers share one read, and the value stays fresh for a second', async () => {
    const { clock, value } = counted();
    assert.deepEqual(await Promise.all([value(), value()]), [1, 1]);
    clock.advance(999);
    assert.equal(await value(), 1);
  });

  it('a caller gets the old value without waiting while the gateway refreshes it in the background', async () => {
    const { clock, value } = counted();
    await value();
    clock.advance(1_500);
    assert.equal(await value(), 1);
    assert.equal(await value(), 2);
  });

  it('a caller waits for a new read once the value is stale', async () => {
    const { clock, value } = counted();
    await value();
    clock.advance(60_000);
    assert.equal(await value(), 2);
  });

  it('the last value is returned while its source fails, and each failure is reported', async () => {
    const { clock, failures, value, break: breakReading } = counted();
    await value();
    const fault = new Error('away');
    breakReading(fault);
    clock.advance(60_000);
    assert.equal(await value(), 1);
    assert.deepEqual(failures, [fault]);
    breakReading(undefined);
    assert.equal(await value(), 3);
  });

  it('if the first read fails, the caller gets the error and the next call reads again', async () => {
    const { value, break: breakReading } = counted();
    breakReading(new Error('away'));
    await assert.rejects(value(), /away/);
    breakReading(undefined);
    assert.equal(await value(), 2);
  });

  it('without a failure handler, a failed read rejects instead of returning the old value', async () => {
    const clock = createManualClock(0);
    const answers = [async () => 1, () => Promise.reject(new Error('away')), async () => 3];
    const value = keepFresh({ read: () => answers.shift()?.() ?? Promise.reject(new Error('too often')), clock });
    assert.equal(await value(), 1);
    clock.advance(60_000);
    await assert.rejects(value(), /away/);
    assert.equal(await value(), 3);
  });
});
