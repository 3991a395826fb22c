/**
 * How operators search payments: the newest of every merchant and currency, by an index. What is asked for is sought among
 * so many of each and no further, or the rare ones of a long history would be looked for in all of it.
 */

import { CURRENCIES } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from './database.ts';

export interface NewestSearch {
  /**
   * Of one currency. `$1`: the merchant, or null for all; `$2`: the currency; `$3`: how many of each merchant are looked
   * at; `$4`: how many are wanted; then the filters.
   */
  readonly statement: string;
  readonly merchantId: MerchantId | null;
  readonly limit: number;
  /** Null: not asked for. */
  readonly filters: readonly (string | null)[];
}

/** Payments of each merchant and currency: of one that is named, and of each where all are meant. */
const LOOK_BACK = { one: 100_000, all: 1_000 };

/** Up to `limit` of each currency, in no order. */
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
