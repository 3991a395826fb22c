/** The command behind `merchant create`: a merchant with a first key, which is shown this once and never again. */
import type { Clock } from '../../foundation/clock.ts';
import { isId } from '../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../foundation/ids.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import { merchantKeyPlace, type Sealer } from '../vault/create-vault.ts';
import type { Merchant, MerchantId, MerchantProfile } from './merchant.ts';
import type { MerchantRefusal } from './merchant-refusal.ts';
import {
  generateKey,
  generateMerchantId,
  invalid,
  keyFault,
  type MerchantRules,
  profileFault,
} from './merchant-rules.ts';
import { readMerchantSettings, settingFault } from './merchant-settings.ts';
import type { MerchantStore, StoredKey } from './merchant-store.ts';

export interface MerchantCommandParts {
  readonly store: MerchantStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: MerchantRules;
}

export interface MerchantApplication {
  /** Undefined: one is made up. */
  readonly merchantId?: MerchantId | undefined;
  /** What is left out stays unset; the name is then the id. */
  readonly profile: Partial<MerchantProfile>;
  readonly settings: Readonly<Record<string, string>>;
  /** Undefined: one is generated. */
  readonly key?: Secret | undefined;
}

export interface MerchantWithNewKey {
  readonly merchant: Merchant;
  readonly key: Secret;
}

const NO_ADDRESSES = {
  siteUrl: null,
  processUrl: null,
  successUrl: null,
  failUrl: null,
  payoutCallbackUrl: null,
  eventUrl: null,
};

/** In development the merchant is active at once; in production it starts in test, where no real money moves. */
export async function createMerchant(
  parts: MerchantCommandParts,
  application: MerchantApplication,
): Promise<Result<MerchantWithNewKey, MerchantRefusal>> {
  const { store, clock, random, rules } = parts;
  const merchantId = application.merchantId ?? generateMerchantId(random);
  if (!isId(merchantId)) return fail(invalid('id', 'must be 1 to 64 of A–Z, a–z, 0–9, ".", "_" and "-"'));
  const fault = profileFault(application.profile, rules);
  if (fault) return fail(fault);
  const settings = readMerchantSettings(application.settings);
  if (!settings.ok) return fail({ kind: 'invalid_setting', reason: settings.error });
  const reason = settingFault(application.settings, settings.value, rules.methodCurrencies);
  if (reason) return fail({ kind: 'invalid_setting', reason });
  const keyReason = application.key && keyFault(application.key, rules);
  if (keyReason) return fail(invalid('key', keyReason));

  const key = application.key ?? generateKey(random);
  const merchant: Merchant = {
    name: merchantId,
    ...NO_ADDRESSES,
    ...application.profile,
    merchantId,
    state: rules.environment === 'development' ? 'active' : 'test',
    settings: settings.value,
    createdAt: clock.now(),
  };
  const created = await store.create(merchant, sealKey(parts, merchantId, key));
  return created ? ok({ merchant, key }) : fail({ kind: 'merchant_exists' });
}

/** A key as it is stored: sealed, current, not used yet. */
export function sealKey(
  { sealer, clock, random }: MerchantCommandParts,
  merchantId: MerchantId,
  key: Secret,
): StoredKey {
  const keyId = randomAlphanumeric(random, 12);
  const sealed = sealer.seal(key, merchantKeyPlace(merchantId, keyId));
  return { keyId, sealed, createdAt: clock.now(), retiresAt: null, firstUsedAt: null };
}
