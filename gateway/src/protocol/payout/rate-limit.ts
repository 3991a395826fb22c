/**
 * Requests per second and merchant, in this process: a token bucket that holds one second's worth, on the passed clock.
 * Only authentic requests are counted, so it holds at most one bucket per merchant.
 */
import type { MerchantId } from '../../domain/merchants/merchant.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';

export interface RateLimiter {
  /** Takes one of `perSecond` (0 = no limit). Returns 0, or how many milliseconds until there is one again. */
  take(merchantId: MerchantId, perSecond: number): number;
}

interface Bucket {
  /** In thousandths of a request, so that a millisecond earns a whole number of them. */
  credit: number;
  filledAt: Instant;
}

const REQUEST = 1_000;

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<MerchantId, Bucket>();
  return {
    take(merchantId, perSecond) {
      if (perSecond === 0) return 0;
      const now = clock.now();
      const full = perSecond * REQUEST;
      const bucket = buckets.get(merchantId) ?? { credit: full, filledAt: now };
      // A clock that was set back gives nothing and takes nothing.
      const elapsedMs = Math.max(0, now - bucket.filledAt);
      const credit = Math.min(full, bucket.credit + elapsedMs * perSecond);
      const granted = credit >= REQUEST;
      buckets.set(merchantId, { credit: granted ? credit - REQUEST : credit, filledAt: now });
      return granted ? 0 : Math.ceil((REQUEST - credit) / perSecond);
    },
  };
}
