/**
 * Who is asking: the merchant that a request names, proved by a signature with one of their valid API keys. What every
 * signed wire shares: the look-up, the work done for a merchant who does not exist, the slow-down of guesses, and the
 * record of a key's use. It knows no signature scheme: the wire brings the check.
 */
import type { Merchant, MerchantKey } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { type Random, randomAlphanumeric } from '../../foundation/ids.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import type { TooManyRequests } from './rate-limit.ts';
import type { SignatureSlowdown } from './signature-slowdown.ts';

export interface AuthenticationParts {
  readonly directory: MerchantDirectory;
  readonly random: Random;
  readonly slowdown: SignatureSlowdown;
}

/** What a request says of itself. */
export interface Claim<Refusal> {
  readonly merchantId: string;
  readonly clientAddress: string;
  /** Why the signature can't even be checked, where that is so: told instead, and not counted as a guess. */
  readonly unverifiable?: Refusal | undefined;
  /** The merchant is undefined where there is none; then the answer does not matter, but the time that it takes does. */
  readonly isSignedWith: (key: Secret, merchant: Merchant | undefined) => boolean;
}

/** `key`: the one that the request was signed with, so that its reply is signed with the same. */
export interface ProvenMerchant {
  readonly merchant: Merchant;
  readonly key: MerchantKey;
}

export type ClaimRefusal = { readonly kind: 'merchant_not_found' } | { readonly kind: 'sign_error' } | TooManyRequests;

/** `merchant` is who was asked for, where there is one: it decides how the refusal is written. */
export interface Refused<Refusal> {
  readonly refusal: Refusal;
  readonly merchant: Merchant | undefined;
}

export type AuthenticateMerchant = <Refusal = never>(
  claim: Claim<Refusal>,
) => Promise<Result<ProvenMerchant, Refused<Refusal | ClaimRefusal>>>;

export function createAuthenticateMerchant(parts: AuthenticationParts): AuthenticateMerchant {
  const { directory, slowdown } = parts;
  const dummyKey = new Secret(randomAlphanumeric(parts.random, 43));

  async function slowDown(
    merchantId: string,
    clientAddress: string,
    refusal: Exclude<ClaimRefusal, TooManyRequests>,
  ): Promise<ClaimRefusal> {
    const retryAfterMs = await slowdown.wrongSignature(merchantId, clientAddress);
    return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : refusal;
  }

  return async ({ merchantId, clientAddress, unverifiable, isSignedWith }) => {
    const found = await directory.find(merchantId);
    if (!found) {
      // The same work as for a merchant who exists, so that the time it takes tells nothing.
      if (unverifiable === undefined) isSignedWith(dummyKey, undefined);
      return refuse(await slowDown('', clientAddress, { kind: 'merchant_not_found' }));
    }
    const { merchant } = found;
    if (unverifiable !== undefined) return refuse(unverifiable, merchant);
    const key = found.keys.api.find(({ secret }) => isSignedWith(secret, merchant));
    if (!key) return refuse(await slowDown(merchantId, clientAddress, { kind: 'sign_error' }), merchant);
    slowdown.rightSignature(merchantId, clientAddress);
    directory.keyUsed(merchantId, key);
    return ok({ merchant, key });
  };
}

/** `merchant` where it is known who was asked for. */
export function refuse<Refusal>(refusal: Refusal, merchant?: Merchant): Result<never, Refused<Refusal>> {
  return fail({ refusal, merchant });
}
