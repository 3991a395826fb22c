/**
 * Who is asking, and may they: merchant, signature, X-Sign, address, rate, in this order (decisions, Requests: order of
 * checks). Everything of the payout family passes here first. Reads nothing of a request but what it must verify.
 */
import type { Merchant, MerchantKey } from '../../domain/merchants/merchant.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import { type Random, randomAlphanumeric } from '../../foundation/ids.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { Secret } from '../../foundation/secret.ts';
import type { JsonObject } from '../http/json-body.ts';
import type { ReceivedBody } from '../http/received-body.ts';
import { verifyMd5 } from '../signatures/md5-sign.ts';
import { verifyXSign } from '../signatures/x-sign.ts';
import { addressKey, isAddressAllowed } from './client-address.ts';
import type { Covered } from './covered-fields.ts';
import { isId } from './formats.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { SignatureSlowdown } from './signature-slowdown.ts';

export interface WireRequest {
  readonly received: ReceivedBody;
  /** What the signature has to cover, as the endpoint says. */
  readonly covered: Covered;
  readonly xMerchant: string | undefined;
  readonly xSign: string | undefined;
  readonly clientAddress: string;
}

export interface AuthenticRequest {
  readonly merchant: Merchant;
  /** The key that the request was signed with: its reply is signed with the same. */
  readonly key: MerchantKey;
  readonly body: JsonObject;
}

/** Which of the two per-second limits an endpoint counts against, with the limit where a merchant has set none. */
export interface EndpointRate {
  readonly setting: 'payout_rate_limit' | 'status_rate_limit';
  readonly defaultPerSecond: number;
  readonly limiter: RateLimiter;
}

export interface AuthenticationParts {
  readonly directory: MerchantDirectory;
  readonly random: Random;
  readonly slowdown: SignatureSlowdown;
}

/** `merchant` is who was asked for, where there is one: it decides how the refusal is written. */
export interface Refused {
  readonly refusal: PayoutRefusal;
  readonly merchant: Merchant | undefined;
}

export type Authenticate = (request: WireRequest, rate: EndpointRate) => Promise<Result<AuthenticRequest, Refused>>;

export function createAuthenticate(parts: AuthenticationParts): Authenticate {
  const dummyKey: Pick<MerchantKey, 'secret'> = { secret: new Secret(randomAlphanumeric(parts.random, 43)) };

  return async (request, rate) => {
    const merchantId = request.received.fields.get('merchant');
    if (typeof merchantId !== 'string' || !isId(merchantId)) {
      return refuse({ kind: 'invalid_field', field: 'merchant' });
    }
    const found = await parts.directory.find(merchantId);
    if (!found) {
      // The same work as for a merchant who exists, so that the time it takes tells nothing.
      signingKey(request, [dummyKey]);
      return refuse(await slowDown(parts, '', request, { kind: 'merchant_not_found' }));
    }
    const { merchant } = found;
    if (!request.covered.ok) return refuse(request.covered.error, merchant);

    const key = signingKey(request, found.keys);
    if (!key || !hasRightXSign(request, merchant, key)) {
      return refuse(await slowDown(parts, merchantId, request, { kind: 'sign_error' }), merchant);
    }
    parts.slowdown.rightSignature(merchantId, addressKey(request.clientAddress));
    parts.directory.keyUsed(merchantId, key);

    const refusal = refuseByPlace(request, merchant) ?? refuseByRate(merchant, rate);
    return refusal ? refuse(refusal, merchant) : ok({ merchant, key, body: request.received.fields });
  };
}

function refuse(refusal: PayoutRefusal, merchant?: Merchant): Result<never, Refused> {
  return fail({ refusal, merchant });
}

function signingKey<Key extends Pick<MerchantKey, 'secret'>>(
  { received, covered }: WireRequest,
  keys: readonly Key[],
): Key | undefined {
  const sign = received.fields.get('sign');
  if (!covered.ok || typeof sign !== 'string') return undefined;
  return keys.find(({ secret }) => verifyMd5(covered.value, secret, sign));
}

/** The key has to be the one that made the body's `sign`: one request, one key. */
function hasRightXSign({ received, xMerchant, xSign }: WireRequest, merchant: Merchant, key: MerchantKey): boolean {
  if (xMerchant !== undefined && xMerchant !== merchant.merchantId) return false;
  if (xSign === undefined) return merchant.settings.payout_x_sign === 'optional';
  return xMerchant !== undefined && verifyXSign(received.raw, key.secret, xSign);
}

async function slowDown(
  { slowdown }: AuthenticationParts,
  merchantId: string,
  { clientAddress }: WireRequest,
  refusal: PayoutRefusal,
): Promise<PayoutRefusal> {
  const retryAfterMs = await slowdown.wrongSignature(merchantId, addressKey(clientAddress));
  return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : refusal;
}

function refuseByPlace({ clientAddress }: WireRequest, { settings }: Merchant): PayoutRefusal | undefined {
  return isAddressAllowed(clientAddress, settings.ip_allow_list) ? undefined : { kind: 'address_not_allowed' };
}

function refuseByRate(
  merchant: Merchant,
  { setting, defaultPerSecond, limiter }: EndpointRate,
): PayoutRefusal | undefined {
  const retryAfterMs = limiter.take(merchant.merchantId, merchant.settings[setting] ?? defaultPerSecond);
  return retryAfterMs > 0 ? { kind: 'too_many_requests', retryAfterMs } : undefined;
}
