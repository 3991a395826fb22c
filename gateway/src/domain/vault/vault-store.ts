/** Where sealed secrets lie. Vault records are written with their payout (payout-store.ts); here they are read and aged. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { SealedSecret, VaultRecord } from './vault.ts';

/** The tables that hold what a master key sealed. Rotation takes them in this order. */
export const SEALED_TABLES = ['vault_records', 'merchant_keys', 'vault_keys'] as const;
export type SealedTable = (typeof SEALED_TABLES)[number];

/** A sealed secret with its row's key: merchant and token, merchant and key id, or (merchant empty) the key's name. */
export interface SealedRow {
  readonly merchantId: MerchantId;
  readonly name: string;
  readonly sealed: SealedSecret;
}

export type SealedRowKey = Pick<SealedRow, 'merchantId' | 'name'>;

export interface VaultStore {
  find(merchantId: MerchantId, token: string): Promise<VaultRecord | undefined>;
  findFingerprintKey(): Promise<SealedSecret | undefined>;
  /** Keeps `sealed` unless there is a key already; returns the one that is kept. */
  keepFirstFingerprintKey(sealed: SealedSecret): Promise<SealedSecret>;
  /** At most `limit` rows that are not under `currentKeyId`, in the order of their keys, after `after`. */
  listUnderOtherKeys(
    table: SealedTable,
    currentKeyId: string,
    after: SealedRowKey | undefined,
    limit: number,
  ): Promise<readonly SealedRow[]>;
  countUnderOtherKeys(table: SealedTable, currentKeyId: string): Promise<number>;
  /** Writes the new wrapping where the row is still under `formerKeyId`. Returns how many rows were changed. */
  replaceWrappings(
    table: SealedTable,
    rows: readonly (SealedRow & { readonly formerKeyId: string })[],
  ): Promise<number>;
  /** The ids of all master keys that something is sealed under. */
  masterKeyIds(): Promise<readonly string[]>;
  /** Records that a rotation to `currentKeyId` takes the others out of use. A key that was retired before keeps its time. */
  retireMasterKeys(others: readonly string[], currentKeyId: string, at: Instant): Promise<void>;
  /** Undefined: the key is in use, or was never seen. */
  findRetirement(masterKeyId: string): Promise<Instant | undefined>;
  /** Deletes at most `limit` records whose time has come; returns how many. */
  destroyDue(now: Instant, limit: number): Promise<number>;
}
