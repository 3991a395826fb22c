/**
 * A rail that keeps failing is left alone for a while, then tried with one payout. It counts what the rail could not
 * answer (unreachable, unknown), never what the bank decided.
 */
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../foundation/clock.ts';

export interface RailBreaker {
  /** How many more payouts may be taken, of `free` places, while `underWay` are in hand. Open: none. Half open: one at a time. */
  allowance(free: number, underWay: number): number;
  answered(): void;
  failed(): void;
  readonly state: 'closed' | 'open' | 'half_open';
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 1 * SECOND_MS;
const LONGEST_PAUSE_MS = 1 * MINUTE_MS;

export function createRailBreaker(clock: Clock): RailBreaker {
  let failures = 0;
  let openings = 0;
  let openUntil: Instant = 0;
  const state = () => {
    if (failures < FAILURES_TO_OPEN) return 'closed';
    return clock.now() < openUntil ? 'open' : 'half_open';
  };
  return {
    allowance: (free, underWay) => ({ closed: free, half_open: underWay === 0 ? 1 : 0, open: 0 })[state()],
    answered() {
      failures = 0;
      openings = 0;
    },
    failed() {
      // What was under way when it opened fails together and says nothing new.
      if (state() === 'open') return;
      failures += 1;
      if (failures < FAILURES_TO_OPEN) return;
      openUntil = clock.now() + Math.min(FIRST_PAUSE_MS * 2 ** openings, LONGEST_PAUSE_MS);
      openings += 1;
    },
    get state() {
      return state();
    },
  };
}
