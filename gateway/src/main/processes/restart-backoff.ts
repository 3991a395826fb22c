/** The delay before a process that died is restarted: none the first time, then longer with each death. */
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';

export interface RestartBackoff {
  /** Returns the delay before the next start. `livedMs` is how long the process served, or 0 if it never did. */
  next(livedMs: number): number;
}

const FIRST_MS = 100;
const LONGEST_MS = 30 * SECOND_MS;
/** A process that served this long died from a different cause than its predecessor. */
const LIVED_WELL_MS = 1 * MINUTE_MS;

export function createRestartBackoff(): RestartBackoff {
  let ends = 0;
  return {
    next(livedMs) {
      ends = livedMs >= LIVED_WELL_MS ? 1 : ends + 1;
      return Math.min(LONGEST_MS, FIRST_MS * 2 ** (ends - 1));
    },
  };
}
