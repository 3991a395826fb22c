/**
 * A rail that keeps failing is left alone for a while, then tried with one payout. It counts the payouts that the rail could
 * not answer for (unreachable, unknown), each once however often it is sent or asked about: that a bank chokes on one says
 * nothing of the others. What the bank decided never counts.
 */
import type { BreakerState } from '../../domain/routing/rail-health.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';

export interface RailBreaker {
  /** How many more payouts may be taken, of `free` places, while `underWay` are in hand. Open: none. Half open: one at a time. */
  allowance(free: number, underWay: number): number;
  answered(): void;
  /** `payout` tells it from the others. */
  failed(payout: string): void;
  readonly state: BreakerState;
}

/** Payouts that failed since the rail last answered. */
const FAILURES_TO_OPEN = 5;
/** What failed before that counts no more. */
const FAILURES_COUNT_FOR_MS = 5 * MINUTE_MS;
const FIRST_PAUSE_MS = 1 * SECOND_MS;
const LONGEST_PAUSE_MS = 1 * MINUTE_MS;

export interface BreakerListener {
  /** It was closed. A trial that fails later only makes the pause longer. */
  readonly onOpened: () => void;
  /** It was open, and the rail has answered. */
  readonly onClosed: () => void;
}

export function createRailBreaker(clock: Clock, { onOpened, onClosed }: BreakerListener): RailBreaker {
  /** By payout, when it failed last. */
  const failed = new Map<string, Instant>();
  let openings = 0;
  let openUntil: Instant = 0;
  const state = (): BreakerState => {
    if (openings === 0) return 'closed';
    return clock.now() < openUntil ? 'open' : 'half_open';
  };
  function count(payout: string): number {
    const now = clock.now();
    failed.set(payout, now);
    for (const [each, at] of failed) if (at <= now - FAILURES_COUNT_FOR_MS) failed.delete(each);
    return failed.size;
  }
  return {
    allowance: (free, underWay) => ({ closed: free, half_open: underWay === 0 ? 1 : 0, open: 0 })[state()],
    answered() {
      failed.clear();
      if (openings === 0) return;
      openings = 0;
      onClosed();
    },
    failed(payout) {
      // What was under way when it opened fails together and says nothing new.
      if (state() === 'open') return;
      if (state() === 'closed' && count(payout) < FAILURES_TO_OPEN) return;
      openUntil = clock.now() + Math.min(FIRST_PAUSE_MS * 2 ** openings, LONGEST_PAUSE_MS);
      openings += 1;
      if (openings === 1) onOpened();
    },
    get state() {
      return state();
    },
  };
}
