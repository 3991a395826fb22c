/** A merchant: who sends payments, and how they want to be served. */
import type { Instant } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import { defineTransitions } from '../../foundation/transitions.ts';
import type { MerchantSettings } from './merchant-settings.ts';

/** The public identifier, as the merchant writes it in requests. */
export type MerchantId = string;

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

/** One signing key. During a rotation a merchant has two. */
export interface MerchantKey {
  readonly keyId: string;
  readonly secret: Secret;
  readonly createdAt: Instant;
  /** Not valid from here on; null = the current key. */
  readonly retiresAt: Instant | null;
  /** When a request first used it; null = never yet. */
  readonly firstUsedAt: Instant | null;
}

/** A merchant as the wires need one: with the keys that are valid now, newest first. */
export interface MerchantWithKeys {
  readonly merchant: Merchant;
  readonly keys: readonly MerchantKey[];
}

/** The same merchant with the keys that are still valid at `now`. */
export function withValidKeys(found: MerchantWithKeys, now: Instant): MerchantWithKeys {
  const isValid = ({ retiresAt }: MerchantKey) => retiresAt === null || now < retiresAt;
  return found.keys.every(isValid) ? found : { ...found, keys: found.keys.filter(isValid) };
}

/**
 * The key for what the gateway itself starts (callbacks): the old one until the new one was first used or the overlap
 * ended, so that a merchant who has not switched yet still verifies (decisions, Keys).
 */
export function callbackKey(keys: readonly MerchantKey[]): MerchantKey | undefined {
  const [newest, older] = keys;
  return newest && older && newest.firstUsedAt === null ? older : newest;
}
