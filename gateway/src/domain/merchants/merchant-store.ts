/** Where merchants and their keys are kept. */
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
  /** Only what changes, as text by name; null takes a setting back to its default. */
  readonly settings?: Readonly<Record<string, string | null>>;
}

export interface StoredMerchant {
  readonly merchant: Merchant;
  readonly keys: readonly StoredKey[];
  /** Another one as soon as anything about the merchant or a key has changed. */
  readonly revision: string;
}

export interface MerchantStore {
  /** False when a merchant of that id exists; then nothing was written. */
  create(merchant: Merchant, keys: readonly StoredKey[]): Promise<boolean>;
  /** With the keys that have not retired at `now`, newest first. */
  find(merchantId: MerchantId, now: Instant): Promise<StoredMerchant | undefined>;
  /** Of those of them that exist. */
  revisions(merchantIds: readonly MerchantId[]): Promise<ReadonlyMap<MerchantId, string>>;
  list(): Promise<readonly Merchant[]>;
  /** `plan` sees the merchant as it stays until the change is written. Undefined when there is no such merchant. */
  change<Refusal>(
    merchantId: MerchantId,
    plan: (merchant: Merchant) => Result<MerchantChange, Refusal>,
  ): Promise<Result<MerchantChange, Refusal> | undefined>;
  /**
   * Adds `key` as the current one of its purpose and lets every older one of that purpose retire at `retiresAt` at the
   * latest; at most two of a purpose stay valid.
   */
  addKey(merchantId: MerchantId, key: StoredKey, retiresAt: Instant): Promise<void>;
  /** Records the use at `at` as the last one, and as the first where none was recorded. */
  markKeyUsed(merchantId: MerchantId, keyId: string, at: Instant): Promise<void>;
}
