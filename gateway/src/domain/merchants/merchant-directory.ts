/** Merchants as the wires look them up on every request: from memory, refreshed when older than a moment. */
import { SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { MerchantKey, MerchantWithKeys } from './merchant.ts';

/** How far what the wires see of a merchant may be behind the database. */
export const MERCHANT_FRESH_MS = 1 * SECOND_MS;

export interface MerchantDirectory {
  /** Undefined when there is no such merchant. At most `MERCHANT_FRESH_MS` behind the database, but a key ends on time. */
  find(merchantId: MerchantId): Promise<MerchantWithKeys | undefined>;
  /** Records that a request used this key: its first use, and from then on at most once an hour. Does not wait for it. */
  keyUsed(merchantId: MerchantId, key: MerchantKey): void;
}
