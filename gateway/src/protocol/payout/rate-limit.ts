/**
 * Requests per second and merchant, in this process: a token bucket that holds one second's worth, on the passed clock.
 * Only authentic requests are counted, so it holds at most one bucket per merchant.
 */

import type { MerchantId } from '../../domain/merchants/merchant.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { SECOND_MS } from '../../foundation/clock.ts';

export interface RateLimiter {
  /** Takes one of `perSecond` (0 = no limit). Returns 0, or how many milliseconds until there is one again. */
  take(merchantId: MerchantId, perSecond: number): number;
}

interface Bucket {
  tokens: number;
  filledAt: Instant;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<MerchantId, Bucket>();
  return {
    take(merchantId, perSecond) {
      if (perSecond === 0) return 0;
      const now = clock.now();
      const bucket = buckets.get(merchantId) ?? { tokens: perSecond, filledAt: now };
      // A clock that was set back gives nothing and takes nothing.
      const elapsedMs = Math.max(0, now - bucket.filledAt);
      const tokens = Math.min(perSecond, bucket.tokens + (elapsedMs * perSecond) / SECOND_MS);
      const granted = tokens >= 1;
      buckets.set(merchantId, { tokens: granted ? tokens - 1 : tokens, filledAt: now });
      return granted ? 0 : Math.ceil(((1 - tokens) * SECOND_MS) / perSecond);
    },
  };
}
