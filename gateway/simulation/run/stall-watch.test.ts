import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProgress } from './stall-watch.ts';

const LIMITS = { tickMs: 5, ticks: 4, computingTicks: 12, stepsOfMoment: 1_000 };
const LONG_MS = 400;

interface Scene {
  readonly steps?: () => number;
  readonly now?: () => number;
  readonly isComputing?: () => boolean;
}

/** Resolves to the reason for which the watch ended the run, or to undefined if it did not. */
async function endOf({
  steps = () => 0,
  now = () => 0,
  isComputing = () => false,
}: Scene): Promise<string | undefined> {
  const describe = async () => 'a lock';
  const watch = watchProgress({ steps, now, isComputing: async () => isComputing(), describe }, LIMITS);
  const reason = watch.stalled.catch((error: Error) => error.message);
  try {
    return await Promise.race([reason, sleep(LONG_MS, undefined)]);
  } finally {
    watch.end();
  }
}

/** Returns a function whose result increases by `by` with each call. */
function growing(by: number): () => number {
  let value = 0;
  return () => {
    value += by;
    return value;
  };
}

describe('the watch over the progress of a run', () => {
  it('the stall watch ends a run without steps and reports what the run waits for', async () => {
    assert.equal(await endOf({}), 'the run made no step for 4 s: a lock');
  });

  it('the stall watch waits longer while PostgreSQL executes a statement of the run', async () => {
    assert.equal(await endOf({ isComputing: () => true }), 'the run made no step for 12 s: a lock');
  });

  it('the stall watch ends a run that takes thousands of steps without advancing its time', async () => {
    assert.match((await endOf({ steps: growing(100) })) ?? '', /^the run made \d{4} steps at one moment: a lock$/);
  });

  it('the stall watch does not end a run whose time advances', async () => {
    assert.equal(await endOf({ steps: growing(100), now: growing(1) }), undefined);
  });
});
