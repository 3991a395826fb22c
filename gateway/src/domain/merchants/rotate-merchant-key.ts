/**
 * The command behind `key rotate`: it adds a new current key of one purpose. The previous key stays valid for the
 * overlap, and any older key retires now. It also creates the first key of a purpose.
 */
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import { merchantKeyPlace } from '../vault/create-vault.ts';
import { type MerchantCommandParts, sealKey } from './create-merchant.ts';
import { type KeyPurpose, type Merchant, OPERATOR_MERCHANT } from './merchant.ts';
import type { MerchantRejection } from './merchant-rejection.ts';
import { generateKey, invalid, keyFault, sameKeyFault } from './merchant-rules.ts';
import { MERCHANT_SETTINGS } from './merchant-settings.ts';
import type { StoredKey } from './merchant-store.ts';

export interface KeyRotation {
  /** The key to rotate. If undefined, the gateway rotates the API key. */
  readonly purpose?: KeyPurpose | undefined;
  /** The new key. If undefined, the gateway generates one. */
  readonly key?: Secret | undefined;
  /** If undefined, the merchant's setting `key_overlap_hours` applies. Zero retires a leaked key immediately. */
  readonly overlapHours?: number | undefined;
  /**
   * The same for each repeat of one action: the key is rotated once, and a repeat gets the same key. A second rotation would
   * retire the key that the merchant uses. If undefined, each call is a new rotation.
   */
  readonly act?: string | undefined;
}

export interface RotatedKey {
  readonly merchant: Merchant;
  readonly key: Secret;
  /** The time when the old key retires. Null for the first key of a purpose. */
  readonly oldKeyRetiresAt: Instant | null;
}

export async function rotateMerchantKey(
  parts: MerchantCommandParts,
  merchantId: MerchantId,
  rotation: KeyRotation,
): Promise<Result<RotatedKey, MerchantRejection>> {
  const { store, clock, random, rules } = parts;
  if (merchantId === OPERATOR_MERCHANT) return fail({ kind: 'merchant_reserved' });
  const found = await store.find(merchantId, clock.now());
  if (!found) return fail({ kind: 'merchant_not_found' });
  const { purpose = 'api' } = rotation;
  const others = found.keys.filter((key) => key.purpose !== purpose).map((key) => openKey(parts, merchantId, key));
  const keyReason = rotation.key && (keyFault(rotation.key, rules) ?? sameKeyFault(rotation.key, others));
  if (keyReason) return fail(invalid('key', keyReason));
  const setting = MERCHANT_SETTINGS.key_overlap_hours;
  const hours = rotation.overlapHours ?? found.merchant.settings.key_overlap_hours;
  if (setting.read(String(hours)) === undefined) return fail(invalid('overlapHours', `must be ${setting.accepts}`));

  const key = rotation.key ?? generateKey(random, rules);
  const made = sealKey(parts, merchantId, purpose, key, rotation.act?.slice(0, ID_OF_ACT_LENGTH));
  const kept = await store.addKey(merchantId, made, made.createdAt + hours * HOUR_MS);
  const hadOne = found.keys.some((old) => old.purpose === purpose && old.keyId !== kept.keyId);
  return ok({
    merchant: found.merchant,
    key: kept === made ? key : openKey(parts, merchantId, kept),
    oldKeyRetiresAt: hadOne ? kept.createdAt + hours * HOUR_MS : null,
  });
}

/** The number of hexadecimal digits that identify an action. */
const ID_OF_ACT_LENGTH = 24;

function openKey({ sealer }: MerchantCommandParts, merchantId: MerchantId, { sealed, keyId }: StoredKey): Secret {
  return sealer.open(sealed, merchantKeyPlace(merchantId, keyId));
}
