/** Looks merchants up for the wires on every request, from memory. It refreshes stale entries. */
import { SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { MerchantKey, MerchantWithKeys } from './merchant.ts';

/** How stale a merchant may be for the wires. */
export const MERCHANT_FRESH_MS = 1 * SECOND_MS;

export interface MerchantDirectory {
  /** Undefined for an unknown id. At most `MERCHANT_FRESH_MS` behind the database, but a key retires on time. */
  find(merchantId: MerchantId): Promise<MerchantWithKeys | undefined>;
  /** Records that a request used this key: its first use, then at most once an hour. Does not wait for the write. */
  keyUsed(merchantId: MerchantId, key: MerchantKey): void;
}
