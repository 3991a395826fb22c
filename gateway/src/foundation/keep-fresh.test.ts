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

describe('what is kept fresh', () => {
  it('is read once for all who ask at once, and within a second', async () => {
    const { clock, value } = counted();
    assert.deepEqual(await Promise.all([value(), value()]), [1, 1]);
    clock.advance(999);
    assert.equal(await value(), 1);
  });

  it('is given a little old while it is read anew', async () => {
    const { clock, value } = counted();
    await value();
    clock.advance(1_500);
    assert.equal(await value(), 1);
    assert.equal(await value(), 2);
  });

  it('is waited for once it is old', async () => {
    const { clock, value } = counted();
    await value();
    clock.advance(60_000);
    assert.equal(await value(), 2);
  });

  it('stays in force while it can’t be read, and the failure is told', async () => {
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

  it('is refused to whoever asks before it was ever read', async () => {
    const { value, break: breakReading } = counted();
    breakReading(new Error('away'));
    await assert.rejects(value(), /away/);
    breakReading(undefined);
    assert.equal(await value(), 2);
  });
});
