/** Advances a manual clock in steps while loops use it. Each step wakes the loops and leaves them some real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ManualClock, SECOND_MS } from '../../../src/foundation/clock.ts';

/** For this many checks, each advances the clock. Later, only some do, so that a busy machine can catch up. */
const QUICK_LOOKS = 400;
const SLOW_EVERY_LOOKS = 20;
const MOST_LOOKS = 8_000;
const LOOK_EVERY_MS = 2;
/** More steps than a sleeping loop needs to end. */
const LAST_STEPS = 50;

/** `stepMs` is the clock's advance per step. Resolves to false if the condition never became true. */
export async function untilAsTimeGoesBy(
  clock: ManualClock,
  stepMs: number,
  isSo: () => Promise<boolean> | boolean,
): Promise<boolean> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    if (await isSo()) return true;
    if (look < QUICK_LOOKS || look % SLOW_EVERY_LOOKS === 0) clock.advance(stepMs);
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Lets loops that use this clock end. */
export async function stopAsTimeGoesBy(clock: ManualClock, loops: { stop(): Promise<void> }): Promise<void> {
  const stopped = loops.stop();
  for (let step = 0; step < LAST_STEPS; step++) {
    clock.advance(SECOND_MS);
    await new Promise(setImmediate);
  }
  await stopped;
}
