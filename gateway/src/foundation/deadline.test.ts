import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from './clock.ts';
import { type Deadline, withDeadline } from './deadline.ts';

describe('a deadline', () => {
  it('a deadline aborts its signal when its time is over', async () => {
    const clock = createManualClock(0);
    let given: Deadline | undefined;
    const seen: unknown[] = [];
    const see = () => seen.push([given?.isPast(), given?.signal.aborted]);
    const work = withDeadline(clock, 100, (deadline) => {
      given = deadline;
      return new Promise((resolve) => deadline.signal.addEventListener('abort', () => resolve('given up')));
    });
    clock.advance(99);
    await Promise.resolve();
    see();
    clock.advance(1);
    assert.equal(await work, 'given up');
    see();
    assert.deepEqual(seen, [
      [false, false],
      [true, true],
    ]);
  });

  it('a deadline never aborts its signal after the work ended or failed', async () => {
    const clock = createManualClock(0);
    const signals: AbortSignal[] = [];
    const keep = ({ signal }: Deadline) => void signals.push(signal);
    await withDeadline(clock, 100, async (deadline) => keep(deadline));
    const failed = withDeadline(clock, 100, async (deadline) => {
      keep(deadline);
      throw new Error('broken');
    });
    await assert.rejects(failed, /broken/);
    clock.advance(200);
    await new Promise(setImmediate);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false],
    );
  });
});
