import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { createTimeouts } from './timeouts.ts';

const aTurn = () => new Promise(setImmediate);

describe('timeouts of one length', () => {
  it('each of several timeouts fires at its own time, in order', async () => {
    const clock = createManualClock(0);
    const timeouts = createTimeouts(clock, 100);
    const came: string[] = [];
    timeouts.start(() => came.push(`first at ${clock.now()}`));
    clock.advance(60);
    timeouts.start(() => came.push(`second at ${clock.now()}`));
    clock.advance(39);
    await aTurn();
    assert.deepEqual(came, []);
    clock.advance(1);
    await aTurn();
    assert.deepEqual(came, ['first at 100']);
    clock.advance(60);
    await aTurn();
    assert.deepEqual(came, ['first at 100', 'second at 160']);
  });

  it('a cancelled timeout never fires, even if others still wait', async () => {
    const clock = createManualClock(0);
    const timeouts = createTimeouts(clock, 100);
    const came: string[] = [];
    const callOff = timeouts.start(() => came.push('called off'));
    timeouts.start(() => came.push('kept'));
    callOff();
    clock.advance(100);
    await aTurn();
    assert.deepEqual(came, ['kept']);
  });

  it('a timeout fires at the latest at the next check after the clock was set back', async () => {
    const clock = createManualClock(1_000);
    let setBackMs = 0;
    const timeouts = createTimeouts({ ...clock, now: () => clock.now() - setBackMs }, 100);
    let came = false;
    timeouts.start(() => {
      came = true;
    });
    setBackMs = 900;
    clock.advance(100);
    await aTurn();
    assert.ok(came);
  });

  it('cancelling every timeout ends the sleep, and a new timeout starts it again', async () => {
    let asleep = 0;
    const clock = createManualClock(0);
    const counting = {
      ...clock,
      async sleep(ms: number, signal?: AbortSignal) {
        asleep += 1;
        await clock.sleep(ms, signal);
        asleep -= 1;
      },
    };
    const timeouts = createTimeouts(counting, 100);
    timeouts.start(() => assert.fail('the timeout was cancelled'))();
    await aTurn();
    assert.equal(asleep, 0);
    let came = false;
    timeouts.start(() => {
      came = true;
    });
    clock.advance(100);
    await aTurn();
    assert.ok(came);
    assert.equal(asleep, 0);
  });
});
