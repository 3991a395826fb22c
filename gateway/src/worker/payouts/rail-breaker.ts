/**
 * The breaker of a rail: after repeated failures it stops calls for a while, then admits one payout as a probe. It counts
 * payouts whose send or query failed (unreachable or unknown), each payout once. A bank that fails for one payout may still
 * serve others. A decision of the bank is never treated as a failure. It calls no rail itself.
 */
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import type { BreakerState } from '../../domain/rails/rail-health.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';

export interface RailBreaker {
  /**
   * Returns the number of more payouts that the rail may take, given `free` places and `inFlight` payouts. Open: none. Half
   * open: one at a time.
   */
  allowance(free: number, inFlight: number): number;
  answered(): void;
  /** `payout` identifies the payout, so that each payout is counted once. */
  failed(payout: string): void;
  readonly state: BreakerState;
}

/** After this many unanswered queries about one payout, further ones say nothing new about the bank. */
const QUERIES_TO_COUNT = 3;

/**
 * Returns true if an unanswered query about the payout is treated as a failure of the rail. Some banks never say that they do not
 * have a payout, so such payouts stay unknown until a user ends them. They must not hold up the others.
 */
export function countsAsFailure({ stage, asks }: { readonly stage: PayoutStage; readonly asks: number }): boolean {
  return stage === 'at_bank' || asks < QUERIES_TO_COUNT;
}

/** The number of payouts that must fail, without a response in between, to open the breaker. */
const FAILURES_TO_OPEN = 5;
/** Older failures do not count. */
const FAILURES_COUNT_FOR_MS = 5 * MINUTE_MS;
const FIRST_PAUSE_MS = 1 * SECOND_MS;
const LONGEST_PAUSE_MS = 1 * MINUTE_MS;

interface BreakerListener {
  /** The breaker was closed. A later failed probe only prolongs the pause. */
  readonly onOpened: () => void;
  /** The breaker was open, and the rail responded. */
  readonly onClosed: () => void;
}

export function createRailBreaker(clock: Clock, { onOpened, onClosed }: BreakerListener): RailBreaker {
  /** The time of the latest failure of each payout. */
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
    allowance: (free, inFlight) => ({ closed: free, half_open: inFlight === 0 ? 1 : 0, open: 0 })[state()],
    answered() {
      failed.clear();
      if (openings === 0) return;
      openings = 0;
      onClosed();
    },
    failed(payout) {
      // Payouts that were in flight when the breaker opened fail together, and their failures add no information.
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
