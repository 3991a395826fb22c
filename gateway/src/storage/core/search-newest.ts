/**
 * Searches the newest payments of each merchant and currency for operators, by an index. The search reads a limited number of
 * payments of each. Without that limit, a rare filter would read a merchant's whole history.
 */

import { CURRENCIES } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from './database.ts';

export interface NewestSearch {
  /**
   * A statement for one currency. `$1`: the merchant, or null for all. `$2`: the currency. `$3`: how many payments of each
   * merchant it reads. `$4`: how many it returns at most. The filters follow.
   */
  readonly statement: string;
  readonly merchantId: MerchantId | null;
  readonly limit: number;
  /** Null: the filter is not set. */
  readonly filters: readonly (string | null)[];
}

/** How many payments the search reads per merchant and currency: for one named merchant, or for each of all merchants. */
const LOOK_BACK = { one: 100_000, all: 1_000 };

/** Gives up to `limit` payments of each currency, in no order. */
export async function searchNewest<Row>(
  database: Database,
  { statement, merchantId, limit, filters }: NewestSearch,
): Promise<Row[]> {
  const isFiltered = filters.some((filter) => filter !== null);
  const lookBack = isFiltered ? LOOK_BACK[merchantId === null ? 'all' : 'one'] : limit;
  const found: Row[] = [];
  for (const currency of CURRENCIES) {
    found.push(...(await database.query<Row>(statement, [merchantId, currency, lookBack, limit, ...filters])));
  }
  return found;
}
