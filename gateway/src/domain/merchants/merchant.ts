/** A merchant: who sends payments, and how they want to be served. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Secret } from '../../foundation/secret.ts';
import { defineTransitions } from '../../foundation/transitions.ts';
import type { MerchantSettings } from './merchant-settings.ts';

/**
 * Whose suspense holds what fits no merchant. Theirs for the ledger's sake only: they have no key, no address and no money
 * to spend, and nobody can give them any.
 */
export const OPERATOR_MERCHANT: MerchantId = 'operator';

/** Test: the sandbox and simulated rails only. Suspended: nothing new, but what is under way goes on. */
export type MerchantState = 'test' | 'active' | 'suspended';

export type MerchantEvent = 'activated' | 'suspended';

export const merchantTransitions = defineTransitions<MerchantState, MerchantEvent>({
  test: { activated: 'active', suspended: 'suspended' },
  active: { suspended: 'suspended' },
  suspended: { activated: 'active' },
});

export interface MerchantProfile {
  readonly name: string;
  readonly siteUrl: string | null;
  readonly processUrl: string | null;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  /** Where payout callbacks go; null = `processUrl`. */
  readonly payoutCallbackUrl: string | null;
  /** Where events go that are no callback (a reversal, a late execution); null = nowhere. */
  readonly eventUrl: string | null;
}

export interface Merchant extends MerchantProfile {
  readonly merchantId: MerchantId;
  readonly state: MerchantState;
  readonly settings: MerchantSettings;
  readonly createdAt: Instant;
}

/**
 * What a key proves. The API key signs what merchant and gateway send each other; the form key signs the links that a
 * merchant hands to payers, and nothing else: strangers see those signatures (decision record 5).
 */
export const KEY_PURPOSES = ['api', 'form'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** One signing key. During a rotation a merchant has two of its purpose. */
export interface MerchantKey {
  readonly keyId: string;
  readonly purpose: KeyPurpose;
  readonly secret: Secret;
  readonly createdAt: Instant;
  /** Not valid from here on; null = the current key. */
  readonly retiresAt: Instant | null;
  /** When a request first used it; null = never yet. */
  readonly firstUsedAt: Instant | null;
  /** When a request last used it, to the hour; null = never yet. */
  readonly lastUsedAt: Instant | null;
}

/** By purpose, so that no caller can verify with a key of another purpose; newest first. */
export type MerchantKeys = Readonly<Record<KeyPurpose, readonly MerchantKey[]>>;

/** A merchant as the wires need one: with the keys that are valid now. */
export interface MerchantWithKeys {
  readonly merchant: Merchant;
  readonly keys: MerchantKeys;
}

/** Keeps the order within each purpose. */
export function keysByPurpose(keys: readonly MerchantKey[]): MerchantKeys {
  const of = (purpose: KeyPurpose) => keys.filter((key) => key.purpose === purpose);
  return { api: of('api'), form: of('form') };
}

/** The same merchant with the keys that are still valid at `now`. */
export function withValidKeys(found: MerchantWithKeys, now: Instant): MerchantWithKeys {
  const isValid = ({ retiresAt }: MerchantKey) => retiresAt === null || now < retiresAt;
  const { api, form } = found.keys;
  if (api.every(isValid) && form.every(isValid)) return found;
  return { ...found, keys: { api: api.filter(isValid), form: form.filter(isValid) } };
}

/**
 * The API key for what the gateway itself starts (callbacks): the old one until the new one was first used or the overlap
 * ended, so that a merchant who has not switched yet still verifies (decisions, Keys).
 */
export function callbackKey({ api }: MerchantKeys): MerchantKey | undefined {
  const [newest, older] = api;
  return newest && older && newest.firstUsedAt === null ? older : newest;
}
