/** The order in which transactions lock the rows of payouts. */
import type { PayoutKey } from '../../foundation/identifiers.ts';

/**
 * Every transaction locks the rows of payouts in the order of merchant and id, so that two of them cannot deadlock. A database may
 * have another collation, so the order is that of the bytes.
 */
export const LOCK_ORDER = 'merchant_id collate "C", payout_id collate "C"';

/** Sorts by LOCK_ORDER. The space comes before every character of an identifier. */
export function inLockOrder<Item>(items: readonly Item[], keyOf: (item: Item) => PayoutKey): Item[] {
  const keyed = items.map((item) => {
    const { merchantId, payoutId } = keyOf(item);
    return { item, key: `${merchantId} ${payoutId}` };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}
