/**
 * Requests per second and merchant (or per minute and address), in this process: a token bucket that holds one such time's
 * worth, on the passed clock. The table is bounded: when it is full, whoever asked longest ago is forgotten.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';

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
  /** Takes one of `limit` (0 = none is set). Returns 0, or how many milliseconds until there is one again. */
  take(key: string, limit: number): number;
}

interface Bucket {
  /** In milliseconds of the limiter's time, times the limit: so that a millisecond earns a whole number of them. */
  credit: number;
  filledAt: Instant;
}

const TABLE_SIZE = 100_000;

/** `perMs`: the time in which as many as the limit may come. */
export function createRateLimiter(clock: Clock, perMs: number = SECOND_MS): RateLimiter {
  /** Who asked longest ago comes first. */
  const buckets = new Map<string, Bucket>();
  return {
    take(key, limit) {
      if (limit === 0) return 0;
      const now = clock.now();
      const full = limit * perMs;
      const bucket = buckets.get(key) ?? { credit: full, filledAt: now };
      // A clock that was set back gives nothing and takes nothing.
      const elapsedMs = Math.max(0, now - bucket.filledAt);
      const credit = Math.min(full, bucket.credit + elapsedMs * limit);
      const granted = credit >= perMs;
      buckets.delete(key);
      buckets.set(key, { credit: granted ? credit - perMs : credit, filledAt: now });
      for (const oldest of buckets.keys()) {
        if (buckets.size <= TABLE_SIZE) break;
        buckets.delete(oldest);
      }
      return granted ? 0 : Math.ceil((perMs - credit) / limit);
    },
  };
}
