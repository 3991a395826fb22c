/** The command behind `key rotate`: a new current key; the one before stays valid for the overlap, any older one ends now. */
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import { type MerchantCommandParts, sealKey } from './create-merchant.ts';
import { type Merchant, type MerchantId, OPERATOR_MERCHANT } from './merchant.ts';
import type { MerchantRefusal } from './merchant-refusal.ts';
import { generateKey, invalid, keyFault } from './merchant-rules.ts';
import { MERCHANT_SETTINGS } from './merchant-settings.ts';

export interface KeyRotation {
  /** Undefined: a key is generated. */
  readonly key?: Secret | undefined;
  /** Undefined: the merchant's setting `key_overlap_hours`. Zero ends the old key at once, for a key that leaked. */
  readonly overlapHours?: number | undefined;
}

export interface RotatedKey {
  readonly merchant: Merchant;
  readonly key: Secret;
  /** Until when the old key is valid. */
  readonly oldKeyRetiresAt: Instant;
}

export async function rotateMerchantKey(
  parts: MerchantCommandParts,
  merchantId: MerchantId,
  rotation: KeyRotation,
): Promise<Result<RotatedKey, MerchantRefusal>> {
  const { store, clock, random, rules } = parts;
  if (merchantId === OPERATOR_MERCHANT) return fail({ kind: 'merchant_reserved' });
  const found = await store.find(merchantId, clock.now());
  if (!found) return fail({ kind: 'merchant_not_found' });
  const keyReason = rotation.key && keyFault(rotation.key, rules);
  if (keyReason) return fail(invalid('key', keyReason));
  const setting = MERCHANT_SETTINGS.key_overlap_hours;
  const hours = rotation.overlapHours ?? found.merchant.settings.key_overlap_hours;
  if (setting.read(String(hours)) === undefined) return fail(invalid('overlapHours', `must be ${setting.accepts}`));

  const key = rotation.key ?? generateKey(random);
  const stored = sealKey(parts, merchantId, key);
  const oldKeyRetiresAt = stored.createdAt + hours * HOUR_MS;
  await store.addKey(merchantId, stored, oldKeyRetiresAt);
  return ok({ merchant: found.merchant, key, oldKeyRetiresAt });
}
