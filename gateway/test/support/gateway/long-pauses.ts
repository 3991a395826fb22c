/** Longer pauses between a gateway's rounds, for tests. */
import { type Clock, systemClock } from '../../../src/foundation/clock.ts';
import { PAUSE_MS } from '../../../src/worker/rounds.ts';

/** An idle gateway uses 5% of a core, and several share the machine. Work of its own process wakes it immediately. */
export function sleepLongBetweenRounds(...[ms, signal]: Parameters<Clock['sleep']>): Promise<void> {
  return systemClock.sleep(ms === PAUSE_MS ? 2 * PAUSE_MS : ms, signal);
}
