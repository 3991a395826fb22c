/** Looks merchants up for the wires on every request, from memory. It refreshes stale entries. */
import { SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type MerchantKey, type MerchantWithKeys, OPERATOR_MERCHANT } from './merchant.ts';

/** How stale a merchant may be when it authenticates a request. */
export const MERCHANT_FRESH_MS = 1 * SECOND_MS;

export interface MerchantDirectory {
  /** Undefined for an unknown id. At most `MERCHANT_FRESH_MS` behind the database, but a key retires on time. */
  find(merchantId: MerchantId): Promise<MerchantWithKeys | undefined>;
  /** Records that a request used this key: its first use, then at most once an hour. Does not wait for the write. */
  keyUsed(merchantId: MerchantId, key: MerchantKey): void;
}

/**
 * True for a merchant that can have people and tokens. The built-in merchant cannot: the rules and proposals of the
 * operator carry its id, so its people would decide on them without a role at the operator.
 */
export async function mayHaveTeam({ find }: Pick<MerchantDirectory, 'find'>, merchantId: MerchantId): Promise<boolean> {
  return merchantId !== OPERATOR_MERCHANT && (await find(merchantId)) !== undefined;
}
