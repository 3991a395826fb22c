/**
 * A rate limit per merchant and second, or per address and minute, within this process. A token bucket holds one interval's
 * worth, on the given clock. The table is bounded: when it is full, it drops the least recently used keys.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';

/** The merchant settings that are rate limits. */
export type RateSetting = 'payout_rate_limit' | 'status_rate_limit' | 'host2host_rate_limit';

/** Requests per second and merchant without a setting of the merchant; 0 = no limit (decision 52). */
export type DefaultRates = Readonly<Record<RateSetting, number>>;

export const DEFAULT_RATES: Readonly<Record<'development' | 'production', DefaultRates>> = {
  development: { payout_rate_limit: 0, status_rate_limit: 0, host2host_rate_limit: 0 },
  production: { payout_rate_limit: 50, status_rate_limit: 20, host2host_rate_limit: 50 },
};

/** The rate limit of an endpoint. Endpoints with the same setting share one limiter. */
export interface EndpointRate {
  readonly setting: RateSetting;
  readonly defaultPerSecond: number;
  readonly limiter: RateLimiter;
}

export type TooManyRequests = { readonly kind: 'too_many_requests'; readonly retryAfterMs: number };

/** Counts a request of the merchant. Returns undefined within the limit. */
export function rejectByRate(
  { merchantId, settings }: Merchant,
  { setting, defaultPerSecond, limiter }: EndpointRate,
): TooManyRequests | undefined {
  const retryAfterMs = limiter.take(merchantId, settings[setting] ?? defaultPerSecond);
  return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : undefined;
}

export interface RateLimiter {
  /** Takes one token (`limit` 0 = unlimited). Returns 0, or the milliseconds until the next token. */
  take(key: string, limit: number): number;
}

interface Bucket {
  /** The remaining credit in milliseconds times the limit, so that each millisecond adds an integer. */
  credit: number;
  filledAt: Instant;
}

const TABLE_SIZE = 100_000;

/** `perMs` is the interval to which the limit applies. */
export function createRateLimiter(clock: Clock, perMs: number = SECOND_MS): RateLimiter {
  /** The buckets by last use, the oldest first. */
  const buckets = new Map<string, Bucket>();
  return {
    take(key, limit) {
      if (limit === 0) return 0;
      const now = clock.now();
      const full = limit * perMs;
      const bucket = buckets.get(key) ?? { credit: full, filledAt: now };
      // A clock that is set back neither adds nor removes credit.
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
