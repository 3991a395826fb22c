/** How soon a process that ended by itself is started again: at once the first time, ever later while it keeps ending. */
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';

export interface RestartBackoff {
  /** How long to wait now. `livedMs`: from when it served until it ended; 0 where it never did. */
  next(livedMs: number): number;
}

const FIRST_MS = 100;
const LONGEST_MS = 30 * SECOND_MS;
/** Who lived so long did not end for what ended the one before. */
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
