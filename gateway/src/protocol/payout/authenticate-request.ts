/**
 * Authenticates a request of the payout family: merchant, signature, X-Sign, address, rate, and an unambiguous signed string,
 * in this order (decision 8). Every request passes here before the gateway looks up any payout. This file must not read
 * fields other than those that it verifies.
 */
import type { Merchant, MerchantKey } from '../../domain/merchants/merchant.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import { isId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import {
  type AuthenticationParts,
  createAuthenticateMerchant,
  type Rejected,
  reject,
} from '../authentication/authenticate-merchant.ts';
import { isAddressAllowed } from '../authentication/client-address.ts';
import { type EndpointRate, rejectByRate } from '../authentication/rate-limit.ts';
import { nameableField } from '../formats/field-formats.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json-body.ts';
import type { ReceivedBody } from '../http/received-body.ts';
import { fieldWithForeignColon, type SignedSet, verifyMd5, verifyXSign } from '../signatures/merchant-signature.ts';
import { DEFAULT_SIGNED, payoutMethod } from './method-table.ts';

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
  /** The key that signed the request. It also signs the response. */
  readonly key: MerchantKey;
  readonly body: JsonObject;
}

export type Authenticate = (
  request: WireRequest,
  rate: EndpointRate,
) => Promise<Result<AuthenticRequest, Rejected<PayoutRejection>>>;

export function createAuthenticate(parts: AuthenticationParts): Authenticate {
  const authenticateMerchant = createAuthenticateMerchant(parts);

  return async (request, rate) => {
    const { received, covered, clientAddress } = request;
    const merchantId = received.fields.get('merchant');
    if (typeof merchantId !== 'string' || !isId(merchantId)) {
      return reject({ kind: 'invalid_field', field: 'merchant' });
    }
    const proven = await authenticateMerchant({
      merchantId,
      clientAddress,
      unverifiable: covered.ok ? undefined : covered.error,
      isSignedWith: (key, named) => isSigned(request, key) && (!named || hasRightXSign(request, named, key)),
    });
    if (!proven.ok) return proven;
    const { merchant, key } = proven.value;
    const rejection = rejectByPlace(clientAddress, merchant) ?? rejectByRate(merchant, rate) ?? rejectByColon(covered);
    return rejection ? reject(rejection, merchant) : ok({ merchant, key, body: received.fields });
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
 * A colon inside a value makes the string to sign ambiguous, so the signature may belong to a different message. The
 * gateway rejects it before it looks up the payout. Otherwise the response would reveal whether the payout exists.
 */
function rejectByColon(covered: Covered): PayoutRejection | undefined {
  const field = covered.ok ? fieldWithForeignColon(covered.value.texts, covered.value.set) : undefined;
  return field === undefined ? undefined : { kind: 'invalid_field', field };
}

function rejectByPlace(clientAddress: string, { settings }: Merchant): PayoutRejection | undefined {
  return isAddressAllowed(clientAddress, settings.ip_allow_list) ? undefined : { kind: 'address_not_allowed' };
}

interface CoveredFields {
  readonly texts: ReadonlyMap<string, string>;
  readonly set: SignedSet;
}

export type Covered = Result<CoveredFields, PayoutRejection>;

/** Returns the set of the method. An unknown method uses the set of the card methods. */
export function coverPayout(body: JsonObject): Covered {
  const number = methodNumber(body.get('method'));
  if (number === undefined) return invalid('method');
  return coverFields(body, payoutMethod(number)?.signed ?? DEFAULT_SIGNED);
}

/** Returns the method's number, or undefined if the value is malformed. */
export function methodNumber(value: JsonValue | undefined): number | undefined {
  const text = methodText(value);
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** Only `method` may be a JSON number. The signature covers its text. */
function methodText(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Selects the strings of a body that the signature covers. It rejects a field that is missing, is not a string, or does not
 * belong to the message, before the gateway computes any signature (decision 1).
 *
 * Null is treated as absent, for optional fields and for fields outside the set.
 */
export function coverFields(body: JsonObject, set: SignedSet): Covered {
  const unknownField = set.isClosed ? fieldOutside(body, set) : undefined;
  if (unknownField !== undefined) return invalid(nameableField(unknownField));
  const texts = new Map<string, string>();
  for (const name of [...set.mandatory, ...set.optional.filter((name) => isThere(body, name))]) {
    const value = body.get(name);
    const text = name === 'method' ? methodText(value) : value;
    if (typeof text !== 'string') return invalid(name);
    texts.set(name, text);
  }
  return ok({ texts, set });
}

/** Returns the first fault in the body's order. */
function fieldOutside(body: JsonObject, { mandatory, optional }: SignedSet): string | undefined {
  const known = new Set([...mandatory, ...optional, 'sign']);
  return [...body.keys()].find((name) => !known.has(name) && isThere(body, name));
}

function isThere(body: JsonObject, name: string): boolean {
  return (body.get(name) ?? null) !== null;
}

function invalid(field: string): Result<never, PayoutRejection> {
  return fail({ kind: 'invalid_field', field });
}
