/** Looks up the merchant of every request, from memory. It refreshes stale entries. */
import { SECOND_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { type Merchant, type MerchantKey, type MerchantWithKeys, OPERATOR_MERCHANT } from './merchant.ts';

/** How stale a merchant may be when it authenticates a request. */
export const MERCHANT_FRESH_MS = 1 * SECOND_MS;

export interface MerchantDirectory {
  /** Returns undefined for an unknown id. The result may be `MERCHANT_FRESH_MS` old, but keys retire on time. */
  find(merchantId: MerchantId): Promise<MerchantWithKeys | undefined>;
  /**
   * Records that a request used this key: its first use, then at most once an hour, or once a minute if the key retires. Does
   * not wait for the write.
   */
  keyUsed(merchantId: MerchantId, key: MerchantKey): void;
}

/** Returns the merchant of a stored record. It always exists, because of the record's foreign key. */
export async function merchantOf({ find }: Pick<MerchantDirectory, 'find'>, merchantId: MerchantId): Promise<Merchant> {
  const found = await find(merchantId);
  invariant(found, 'the merchant of a stored record does not exist');
  return found.merchant;
}

/**
 * True for a merchant that can have users and tokens. The built-in merchant cannot: policies and proposals of the operator
 * carry its id, so its users would decide on them without an operator role.
 */
export async function mayHaveTeam({ find }: Pick<MerchantDirectory, 'find'>, merchantId: MerchantId): Promise<boolean> {
  return merchantId !== OPERATOR_MERCHANT && (await find(merchantId)) !== undefined;
}
