/**
 * Authenticates a request of the payout family: merchant, signature, X-Sign, address, rate, and an unambiguous signed
 * text, in this order (decisions, Requests: order of checks). Every request passes here before the gateway looks up
 * any payout. This file must not read other fields than those that it verifies.
 */
import type { Merchant, MerchantKey } from '../../domain/merchants/merchant.ts';
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';
import { isId } from '../../foundation/identifiers.ts';
import { ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import {
  type AuthenticationParts,
  createAuthenticateMerchant,
  type Refused,
  refuse,
} from '../authentication/authenticate-merchant.ts';
import { isAddressAllowed } from '../authentication/client-address.ts';
import { type EndpointRate, refuseByRate } from '../authentication/rate-limit.ts';
import type { JsonObject } from '../http/json-body.ts';
import type { ReceivedBody } from '../http/received-body.ts';
import { verifyMd5 } from '../signatures/md5-sign.ts';
import { fieldWithForeignColon } from '../signatures/signed-set.ts';
import { verifyXSign } from '../signatures/x-sign.ts';
import type { Covered } from './covered-fields.ts';

export interface WireRequest {
  readonly received: ReceivedBody;
  /** The fields that the signature must cover, as the endpoint defines them. */
  readonly covered: Covered;
  readonly xMerchant: string | undefined;
  readonly xSign: string | undefined;
  readonly clientAddress: string;
}

export interface AuthenticRequest {
  readonly merchant: Merchant;
  /** The key that signed the request. It also signs the reply. */
  readonly key: MerchantKey;
  readonly body: JsonObject;
}

export type Authenticate = (
  request: WireRequest,
  rate: EndpointRate,
) => Promise<Result<AuthenticRequest, Refused<PayoutRefusal>>>;

export function createAuthenticate(parts: AuthenticationParts): Authenticate {
  const authenticateMerchant = createAuthenticateMerchant(parts);

  return async (request, rate) => {
    const { received, covered, clientAddress } = request;
    const merchantId = received.fields.get('merchant');
    if (typeof merchantId !== 'string' || !isId(merchantId)) {
      return refuse({ kind: 'invalid_field', field: 'merchant' });
    }
    const proven = await authenticateMerchant({
      merchantId,
      clientAddress,
      unverifiable: covered.ok ? undefined : covered.error,
      isSignedWith: (key, named) => isSigned(request, key) && (!named || hasRightXSign(request, named, key)),
    });
    if (!proven.ok) return proven;
    const { merchant, key } = proven.value;
    const refusal = refuseByPlace(clientAddress, merchant) ?? refuseByRate(merchant, rate) ?? refuseByColon(covered);
    return refusal ? refuse(refusal, merchant) : ok({ merchant, key, body: received.fields });
  };
}

function isSigned({ received, covered }: WireRequest, key: Secret): boolean {
  const sign = received.fields.get('sign');
  return covered.ok && typeof sign === 'string' && verifyMd5(covered.value.texts, key, sign);
}

/** The same key must have made the body's `sign`: one request, one key. */
function hasRightXSign({ received, xMerchant, xSign }: WireRequest, merchant: Merchant, key: Secret): boolean {
  if (xMerchant !== undefined && xMerchant !== merchant.merchantId) return false;
  if (xSign === undefined) return merchant.settings.payout_x_sign === 'optional';
  return xMerchant !== undefined && verifyXSign(received.raw, key, xSign);
}

/**
 * A colon inside a value gives the joined text a second meaning, so the signature may belong to another message. The
 * gateway rejects it before the look-up. Otherwise the answer would reveal whether the payout exists.
 */
function refuseByColon(covered: Covered): PayoutRefusal | undefined {
  const field = covered.ok ? fieldWithForeignColon(covered.value.texts, covered.value.set) : undefined;
  return field === undefined ? undefined : { kind: 'invalid_field', field };
}

function refuseByPlace(clientAddress: string, { settings }: Merchant): PayoutRefusal | undefined {
  return isAddressAllowed(clientAddress, settings.ip_allow_list) ? undefined : { kind: 'address_not_allowed' };
}
