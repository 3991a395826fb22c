/** The port for storing merchants and their keys. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Result } from '../../foundation/result.ts';
import type { SealedSecret } from '../vault/vault.ts';
import type { KeyPurpose, Merchant, MerchantProfile, MerchantState } from './merchant.ts';

export interface StoredKey {
  readonly keyId: string;
  readonly purpose: KeyPurpose;
  readonly sealed: SealedSecret;
  readonly createdAt: Instant;
  readonly retiresAt: Instant | null;
  readonly firstUsedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

export interface MerchantChange extends Partial<MerchantProfile> {
  readonly state?: MerchantState;
  /** Only the changes, as text by name. Null restores a setting's default. */
  readonly settings?: Readonly<Record<string, string | null>>;
}

export interface StoredMerchant {
  readonly merchant: Merchant;
  readonly keys: readonly StoredKey[];
  /** A value that differs after every change of the merchant or of a key. */
  readonly revision: string;
}

export interface MerchantStore {
  /** Returns false, without writing, if a merchant with this id exists. */
  create(merchant: Merchant, keys: readonly StoredKey[]): Promise<boolean>;
  /** Finds the merchant with the keys that are valid at `now`, newest first. */
  find(merchantId: MerchantId, now: Instant): Promise<StoredMerchant | undefined>;
  /** Returns the revisions of the merchants that exist. */
  revisions(merchantIds: readonly MerchantId[]): Promise<ReadonlyMap<MerchantId, string>>;
  list(): Promise<readonly Merchant[]>;
  /** `plan` sees the merchant under a lock that is held until the commit. Resolves to undefined for an unknown id. */
  change<Rejection>(
    merchantId: MerchantId,
    plan: (merchant: Merchant) => Result<MerchantChange, Rejection>,
  ): Promise<Result<MerchantChange, Rejection> | undefined>;
  /**
   * Adds `key` as the current key of its purpose. Every older key of that purpose retires at `retiresAt` or earlier. At most
   * two per purpose stay valid. Resolves to `key`, or without any change to an existing key with the same id.
   */
  addKey(merchantId: MerchantId, key: StoredKey, retiresAt: Instant): Promise<StoredKey>;
  /** Records `at` as the last use, and also as the first if none was recorded. */
  markKeyUsed(merchantId: MerchantId, keyId: string, at: Instant): Promise<void>;
}
