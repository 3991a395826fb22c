/**
 * Authenticates the merchant that a request names, by a signature with one of its valid API keys. Every signed wire
 * shares this part: the look-up, equal work for unknown merchants, the slow-down of guesses, and the record of a
 * key's use. It must not know any signature scheme; the wire supplies the check.
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

/** The unverified identity of a request. */
export interface Claim<Refusal> {
  readonly merchantId: string;
  readonly clientAddress: string;
  /** The reason why the signature cannot be checked. It becomes the answer and does not count as a guess. */
  readonly unverifiable?: Refusal | undefined;
  /**
   * The merchant is undefined if it does not exist. The result is then unused, but the check must take the same time.
   */
  readonly isSignedWith: (key: Secret, merchant: Merchant | undefined) => boolean;
}

/** `key` signed the request. It also signs the reply. */
export interface ProvenMerchant {
  readonly merchant: Merchant;
  readonly key: MerchantKey;
}

export type ClaimRefusal = { readonly kind: 'merchant_not_found' } | { readonly kind: 'sign_error' } | TooManyRequests;

/** `merchant` is the named merchant, if it exists. Its settings decide how the rejection is written. */
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
      // Do the same work as for an existing merchant, so that the response time reveals nothing.
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

/** Pass `merchant` if the gateway knows the named merchant. */
export function refuse<Refusal>(refusal: Refusal, merchant?: Merchant): Result<never, Refused<Refusal>> {
  return fail({ refusal, merchant });
}
