/** The command behind `merchant create`: a merchant with a first key of each purpose. The keys are shown only once. */
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type Random, randomAlphanumeric } from '../../foundation/random.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import { merchantKeyPlace, type Sealer } from '../vault/create-vault.ts';
import type { KeyPurpose, Merchant, MerchantProfile } from './merchant.ts';
import type { MerchantRejection } from './merchant-rejection.ts';
import {
  generateKey,
  generateMerchantId,
  invalid,
  keyFault,
  type MerchantRules,
  merchantIdFault,
  profileFault,
  sameKeyFault,
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
  /** The id of the new merchant. If undefined, the gateway generates one. */
  readonly merchantId?: MerchantId | undefined;
  /** Omitted fields stay unset. An omitted name defaults to the id. */
  readonly profile: Partial<MerchantProfile>;
  readonly settings: Readonly<Record<string, string>>;
  /** The API key. If undefined, the gateway generates one. */
  readonly key?: Secret | undefined;
  /** The form key. If undefined, the gateway generates one. */
  readonly formKey?: Secret | undefined;
}

export interface MerchantWithNewKeys {
  readonly merchant: Merchant;
  readonly key: Secret;
  readonly formKey: Secret;
}

const NO_ADDRESSES = {
  siteUrl: null,
  processUrl: null,
  successUrl: null,
  failUrl: null,
  payoutCallbackUrl: null,
  eventUrl: null,
};

/** In development a new merchant is active. In production it starts in test mode, in which no real money moves. */
export async function createMerchant(
  parts: MerchantCommandParts,
  application: MerchantApplication,
): Promise<Result<MerchantWithNewKeys, MerchantRejection>> {
  const { store, clock, random, rules } = parts;
  const merchantId = application.merchantId ?? generateMerchantId(random);
  const idReason = merchantIdFault(merchantId);
  if (idReason) return fail(invalid('id', idReason));
  const fault = profileFault(application.profile, rules) ?? givenKeysFault(application, rules);
  if (fault) return fail(fault);
  const settings = readMerchantSettings(application.settings);
  if (!settings.ok) return fail({ kind: 'invalid_setting', reason: settings.error });
  const reason = settingFault(application.settings, settings.value, rules.methodCurrencies);
  if (reason) return fail({ kind: 'invalid_setting', reason });

  const key = application.key ?? generateKey(random, rules);
  const formKey = application.formKey ?? generateKey(random, rules);
  const merchant: Merchant = {
    name: merchantId,
    ...NO_ADDRESSES,
    ...application.profile,
    merchantId,
    state: rules.environment === 'development' ? 'active' : 'test',
    settings: settings.value,
    createdAt: clock.now(),
  };
  const created = await store.create(merchant, [
    sealKey(parts, merchantId, 'api', key),
    sealKey(parts, merchantId, 'form', formKey),
  ]);
  return created ? ok({ merchant, key, formKey }) : fail({ kind: 'merchant_exists' });
}

function givenKeysFault({ key, formKey }: MerchantApplication, rules: MerchantRules): MerchantRejection | undefined {
  const keyReason = key && keyFault(key, rules);
  if (keyReason) return invalid('key', keyReason);
  const formKeyReason = formKey && (keyFault(formKey, rules) ?? sameKeyFault(formKey, key ? [key] : []));
  return formKeyReason ? invalid('formKey', formKeyReason) : undefined;
}

/** Returns a key as the database stores it: sealed, current and unused. The id defaults to a random one. */
export function sealKey(
  { sealer, clock, random }: MerchantCommandParts,
  merchantId: MerchantId,
  purpose: KeyPurpose,
  key: Secret,
  keyId = randomAlphanumeric(random, 12),
): StoredKey {
  const sealed = sealer.seal(key, merchantKeyPlace(merchantId, keyId));
  return { keyId, purpose, sealed, createdAt: clock.now(), retiresAt: null, firstUsedAt: null, lastUsedAt: null };
}
