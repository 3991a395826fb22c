/** A merchant: a company that sends payments, with its settings and keys. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { MerchantSettings } from './merchant-settings.ts';

/** The built-in owner of unmatched money, for the ledger only. It has no key, URL or spendable money, and can get none. */
export const OPERATOR_MERCHANT: MerchantId = 'operator';

/** Test: only the sandbox and simulated rails. Suspended: new requests are rejected, accepted ones continue. */
export const MERCHANT_STATES = ['test', 'active', 'suspended'] as const;
export type MerchantState = (typeof MERCHANT_STATES)[number];

export interface MerchantProfile {
  readonly name: string;
  readonly siteUrl: string | null;
  readonly processUrl: string | null;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  /** The URL for payout callbacks. If null, the gateway uses `processUrl`. */
  readonly payoutCallbackUrl: string | null;
  /** The URL for events after the final state (a reversal, a late execution). If null, the gateway sends none. */
  readonly eventUrl: string | null;
}

export interface Merchant extends MerchantProfile {
  readonly merchantId: MerchantId;
  readonly state: MerchantState;
  readonly settings: MerchantSettings;
  readonly createdAt: Instant;
}

/**
 * The purpose of a key. The API key signs the messages between merchant and gateway. The form key signs only links that a
 * merchant gives to payers, because others see those signatures (decision 5).
 */
export const KEY_PURPOSES = ['api', 'form'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** A signing key. During a rotation, a merchant has two keys of one purpose. */
export interface MerchantKey {
  readonly keyId: string;
  readonly purpose: KeyPurpose;
  readonly secret: Secret;
  readonly createdAt: Instant;
  /** The key is invalid from this time on. Null for the current key. */
  readonly retiresAt: Instant | null;
  /** When a request first used it. Null if none did. */
  readonly firstUsedAt: Instant | null;
  /** When a request last used it, to the hour, or to the minute for a key that retires. Null if none did. */
  readonly lastUsedAt: Instant | null;
}

/** The keys by purpose, so that no caller verifies with a key of a different purpose. Newest first. */
export type MerchantKeys = Readonly<Record<KeyPurpose, readonly MerchantKey[]>>;

/** A merchant with the currently valid keys, as the APIs need it. */
export interface MerchantWithKeys {
  readonly merchant: Merchant;
  readonly keys: MerchantKeys;
}

/** Keeps the order within each purpose. */
export function keysByPurpose(keys: readonly MerchantKey[]): MerchantKeys {
  const of = (purpose: KeyPurpose) => keys.filter((key) => key.purpose === purpose);
  return { api: of('api'), form: of('form') };
}

/** Returns the merchant with only the keys that are valid at `now`. */
export function withValidKeys(found: MerchantWithKeys, now: Instant): MerchantWithKeys {
  const isValid = ({ retiresAt }: MerchantKey) => retiresAt === null || now < retiresAt;
  const { api, form } = found.keys;
  if (api.every(isValid) && form.every(isValid)) return found;
  return { ...found, keys: { api: api.filter(isValid), form: form.filter(isValid) } };
}

/**
 * Returns the API key that signs callbacks. The old key signs until a request has used the new key or the overlap has ended,
 * so that a merchant who has not switched yet can verify callbacks (decision 49).
 */
export function callbackKey({ api }: MerchantKeys): MerchantKey | undefined {
  const [newest, older] = api;
  return newest && older && newest.firstUsedAt === null ? older : newest;
}
