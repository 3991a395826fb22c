/** The port for sealed secrets. payout-store.ts writes vault records with their payout. This port reads and destroys them. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { SealedSecret, VaultRecord } from './vault.ts';

/** The tables with data under a master key. A rotation processes them in this order. */
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
  /** Stores `sealed` unless there is already a key. Returns the stored key. */
  keepFirstFingerprintKey(sealed: SealedSecret): Promise<SealedSecret>;
  /** Lists at most `limit` rows after `after`, in key order, that are not under `currentKeyId`. */
  listUnderOtherKeys(
    table: SealedTable,
    currentKeyId: string,
    after: SealedRowKey | undefined,
    limit: number,
  ): Promise<readonly SealedRow[]>;
  countUnderOtherKeys(table: SealedTable, currentKeyId: string): Promise<number>;
  /** Stores the new wrappings of rows that are still under `formerKeyId`. Returns the number of changed rows. */
  replaceWrappings(
    table: SealedTable,
    rows: readonly (SealedRow & { readonly formerKeyId: string })[],
  ): Promise<number>;
  /** Returns the ids of all master keys in use. */
  masterKeyIds(): Promise<readonly string[]>;
  /** Records that a rotation to `currentKeyId` retires the other keys. A key that was already retired keeps its time. */
  retireMasterKeys(others: readonly string[], currentKeyId: string, at: Instant): Promise<void>;
  /** Returns undefined if the key is in use, or unknown. */
  findRetirement(masterKeyId: string): Promise<Instant | undefined>;
  /** Deletes at most `limit` due records. Returns how many. */
  destroyDue(now: Instant, limit: number): Promise<number>;
}
