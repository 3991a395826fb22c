/**
 * Slows down guesses: each wrong signature from one address for one merchant delays its answer longer. A correct
 * signature never waits, so nobody can lock a merchant out (decisions, Keys). The table and the waiting answers are
 * bounded, so guesses cost the gateway little.
 */
import { type Clock, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { addressKey } from './client-address.ts';

export interface SignatureSlowdown {
  /** Resolves when the answer may go out. The result is 0, or a retry time in milliseconds if too many answers wait. */
  wrongSignature(merchantId: string, clientAddress: string): Promise<number>;
  /** Resets the count. */
  rightSignature(merchantId: string, clientAddress: string): void;
}

export interface SlowdownLimits {
  /** Wrong signatures without a delay, for developers who are writing a client. */
  readonly free: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** The count resets after this long without a wrong signature. */
  readonly forgetAfterMs: number;
  readonly tableSize: number;
  readonly waitingInAll: number;
  readonly waitingPerClient: number;
}

export const SLOWDOWN_LIMITS: SlowdownLimits = {
  free: 10,
  firstDelayMs: 100,
  longestDelayMs: 5_000,
  forgetAfterMs: MINUTE_MS,
  tableSize: 10_000,
  waitingInAll: 500,
  waitingPerClient: 8,
};

interface Guesser {
  wrong: number;
  waiting: number;
  lastAt: Instant;
}

export function createSignatureSlowdown(clock: Clock, limits: SlowdownLimits = SLOWDOWN_LIMITS): SignatureSlowdown {
  /** Ordered by the last wrong signature, oldest first. A full table drops the first entry. */
  const guessers = new Map<string, Guesser>();
  let waitingInAll = 0;

  function count(key: string): Guesser {
    const now = clock.now();
    const known = guessers.get(key);
    const guesser = known && now - known.lastAt < limits.forgetAfterMs ? known : { wrong: 0, waiting: 0, lastAt: now };
    guesser.wrong += 1;
    guesser.lastAt = now;
    guessers.delete(key);
    guessers.set(key, guesser);
    for (const oldest of guessers.keys()) {
      if (guessers.size <= limits.tableSize) break;
      guessers.delete(oldest);
    }
    return guesser;
  }

  function delayOf({ wrong }: Guesser): number {
    const doublings = wrong - limits.free - 1;
    if (doublings < 0) return 0;
    return Math.min(limits.longestDelayMs, limits.firstDelayMs * 2 ** Math.min(doublings, 30));
  }

  return {
    async wrongSignature(merchantId, clientAddress) {
      const guesser = count(guesserKey(merchantId, clientAddress));
      const delayMs = delayOf(guesser);
      if (delayMs === 0) return 0;
      if (waitingInAll >= limits.waitingInAll || guesser.waiting >= limits.waitingPerClient)
        return limits.longestDelayMs;
      waitingInAll += 1;
      guesser.waiting += 1;
      await clock.sleep(delayMs);
      waitingInAll -= 1;
      guesser.waiting -= 1;
      return 0;
    },
    rightSignature(merchantId, clientAddress) {
      // The table is almost always empty, and parsing the address costs time.
      if (guessers.size > 0) guessers.delete(guesserKey(merchantId, clientAddress));
    },
  };
}

function guesserKey(merchantId: string, clientAddress: string): string {
  return `${merchantId} ${addressKey(clientAddress)}`;
}
