/**
 * Requests per second and merchant, in this process: a token bucket that holds one second's worth, on the passed clock.
 * Only authentic requests are counted, so it holds at most one bucket per merchant.
 */

import type { Merchant, MerchantId } from '../../domain/merchants/merchant.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';

/** The merchant settings that are limits. */
export type RateSetting = 'payout_rate_limit' | 'status_rate_limit' | 'host2host_rate_limit';

/** Requests a second and merchant where the merchant's settings say nothing; 0 = no limit (decisions, Keys: rate limits). */
export type DefaultRates = Readonly<Record<RateSetting, number>>;

export const DEFAULT_RATES: Readonly<Record<'development' | 'production', DefaultRates>> = {
  development: { payout_rate_limit: 0, status_rate_limit: 0, host2host_rate_limit: 0 },
  production: { payout_rate_limit: 50, status_rate_limit: 20, host2host_rate_limit: 50 },
};

/** What an endpoint counts against: one limiter per setting, shared by the endpoints of that setting. */
export interface EndpointRate {
  readonly setting: RateSetting;
  readonly defaultPerSecond: number;
  readonly limiter: RateLimiter;
}

export type TooManyRequests = { readonly kind: 'too_many_requests'; readonly retryAfterMs: number };

/** Counts a request of the merchant; undefined while they are within their limit. */
export function refuseByRate(
  { merchantId, settings }: Merchant,
  { setting, defaultPerSecond, limiter }: EndpointRate,
): TooManyRequests | undefined {
  const retryAfterMs = limiter.take(merchantId, settings[setting] ?? defaultPerSecond);
  return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : undefined;
}

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
