/**
 * Authenticates a request's merchant by a signature with one of its valid API keys. All signed endpoints share this part: the
 * lookup, equal work for unknown merchants, the delay after guesses, and the record of a key's use. It knows no signature
 * scheme; the endpoint supplies the check.
 */
import type { Merchant, MerchantKey } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { type Clock, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { type Random, randomAlphanumeric } from '../../foundation/random.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import { addressKey } from './client-address.ts';
import type { TooManyRequests } from './rate-limit.ts';

export interface AuthenticationParts {
  readonly directory: MerchantDirectory;
  readonly random: Random;
  readonly slowdown: SignatureSlowdown;
}

/** The unverified identity of a request. */
export interface Claim<Rejection> {
  readonly merchantId: string;
  readonly clientAddress: string;
  /** The reason why the signature cannot be checked. It becomes the response and is not treated as a guess. */
  readonly unverifiable?: Rejection | undefined;
  /** The merchant is undefined if it does not exist. The result is then unused, but the check must take the same time. */
  readonly isSignedWith: (key: Secret, merchant: Merchant | undefined) => boolean;
}

/** `key` signed the request. It also signs the response. */
export interface ProvenMerchant {
  readonly merchant: Merchant;
  readonly key: MerchantKey;
}

type ClaimRejection = { readonly kind: 'merchant_not_found' } | { readonly kind: 'sign_error' } | TooManyRequests;

/** `merchant` is set if the request names an existing merchant. Its settings determine the HTTP status of the rejection. */
export interface Rejected<Rejection> {
  readonly rejection: Rejection;
  readonly merchant: Merchant | undefined;
}

export type AuthenticateMerchant = <Rejection = never>(
  claim: Claim<Rejection>,
) => Promise<Result<ProvenMerchant, Rejected<Rejection | ClaimRejection>>>;

export function createAuthenticateMerchant(parts: AuthenticationParts): AuthenticateMerchant {
  const { directory, slowdown } = parts;
  const dummyKey = new Secret(randomAlphanumeric(parts.random, 43));

  async function slowDown(
    merchantId: string,
    clientAddress: string,
    rejection: Exclude<ClaimRejection, TooManyRequests>,
  ): Promise<ClaimRejection> {
    const retryAfterMs = await slowdown.wrongSignature(merchantId, clientAddress);
    return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : rejection;
  }

  return async ({ merchantId, clientAddress, unverifiable, isSignedWith }) => {
    const found = await directory.find(merchantId);
    if (!found) {
      // Do the same work as for an existing merchant, so that the response time reveals nothing.
      if (unverifiable === undefined) isSignedWith(dummyKey, undefined);
      return reject(await slowDown('', clientAddress, { kind: 'merchant_not_found' }));
    }
    const { merchant } = found;
    if (unverifiable !== undefined) return reject(unverifiable, merchant);
    const key = found.keys.api.find(({ secret }) => isSignedWith(secret, merchant));
    if (!key) return reject(await slowDown(merchantId, clientAddress, { kind: 'sign_error' }), merchant);
    slowdown.rightSignature(merchantId, clientAddress);
    directory.keyUsed(merchantId, key);
    return ok({ merchant, key });
  };
}

/** `merchant` is the named merchant, if it exists. */
export function reject<Rejection>(rejection: Rejection, merchant?: Merchant): Result<never, Rejected<Rejection>> {
  return fail({ rejection, merchant });
}

export interface SignatureSlowdown {
  /** Resolves when the response may go out. The result is 0, or a retry time in milliseconds if too many responses wait. */
  wrongSignature(merchantId: string, clientAddress: string): Promise<number>;
  /** Resets the count. */
  rightSignature(merchantId: string, clientAddress: string): void;
}

interface SlowdownLimits {
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

/**
 * Slows down guesses: each wrong signature from one address for one merchant delays its response longer. A correct
 * signature never waits, so an attacker cannot lock a merchant out (decision 52). The table and the waiting responses are
 * bounded, so guesses cost the gateway little.
 */
export function createSignatureSlowdown(clock: Clock, limits: SlowdownLimits = SLOWDOWN_LIMITS): SignatureSlowdown {
  /** The clients by their last wrong signature, the oldest first. A full table drops the first entry. */
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
