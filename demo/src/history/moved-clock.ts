/** A clock that begins in the past, and that only `advance` moves. It says so, and the gateway's workers accept it. */
import {
  createManualClock,
  type Instant,
  type ManualClock,
  systemClock,
} from '../../../gateway/src/foundation/clock.ts';

export interface MovedClock extends ManualClock {
  behindMs(): number;
}

export function createMovedClock(start: Instant): MovedClock {
  const clock = createManualClock(start);
  return { ...clock, behindMs: () => systemClock.now() - clock.now() };
}
