/** The backlog: payouts without a final state, and due callbacks. */
import { systemClock } from '../../src/foundation/clock.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import { numberOf } from '../stage/admin-client.ts';
import type { Stage } from '../stage/stage.ts';

/**
 * Counting a long queue takes the database some milliseconds, which would distort the measurement. The longer the queue, the
 * rarer the counts.
 */
const LOOK_EVERY_MS = { most: 1_000, least: 100 };
/** More steps than a worker completes per millisecond. */
const STEPS_PER_MS = 20;
const REPORT_EVERY_MS = 2_000;
const DUE_CALLBACKS = `select count(*) from callbacks where state = 'due'`;

export function jobsOpen({ admin }: Stage): Promise<number> {
  return numberOf(admin, 'select count(*) from payout_jobs');
}

export function callbacksDue({ admin }: Stage): Promise<number> {
  return numberOf(admin, DUE_CALLBACKS);
}

/** Counts the open steps. A payout is in one of the two queues until its callback was delivered. */
export function stepsOpen({ admin }: Stage): Promise<number> {
  return numberOf(admin, `select (select count(*) from payout_jobs) + (${DUE_CALLBACKS})`);
}

/** The time limit for emptying a queue after a few seconds of load. */
export const EMPTY_WITHIN_MS = 180_000;

/** Throws if the queue is not empty within the time limit. */
export function untilEmpty(
  left: () => Promise<number>,
  onLeft: (left: number) => void,
  longestMs = EMPTY_WITHIN_MS,
): Promise<void> {
  return untilAtMost(0, left, onLeft, longestMs);
}

/** Throws if more than `most` steps are open after the time limit. */
export async function untilAtMost(
  most: number,
  left: () => Promise<number>,
  onLeft: (left: number) => void,
  longestMs = EMPTY_WITHIN_MS,
): Promise<void> {
  const giveUpAt = monotonicMs() + longestMs;
  let reportedAt = 0;
  for (let open = await left(); open > most; open = await left()) {
    if (monotonicMs() > giveUpAt) throw new Error(`${open} steps are left after ${longestMs / 1_000} s`);
    if (monotonicMs() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = monotonicMs();
      onLeft(open);
    }
    const earliestMs = (open - most) / STEPS_PER_MS;
    await systemClock.sleep(Math.min(LOOK_EVERY_MS.most, Math.max(LOOK_EVERY_MS.least, earliestMs)));
  }
}
