/** Searches payments by any identifier or detail. Each kind that matches the text reads its lists and directories. */

import type { MerchantId } from '../../foundation/identifiers.ts';
import { FIND_KINDS, type FindKind, type FoundList, type ListSearch, RECOGNISERS } from './find-kinds.ts';
import type { ListPage, ListStore, Lists } from './list-store.ts';
import type { SearchStore } from './search-store.ts';

interface FindParts {
  readonly lists: ListStore;
  readonly searchStore: SearchStore;
  readonly rails: readonly string[];
}

export interface FindOrder {
  readonly text: string;
  /** The merchant to search. If null, the search covers all merchants. */
  readonly merchantId: MerchantId | null;
  readonly lists: readonly FoundList[];
}

/** The matching items of one list, newest first. */
export type Found = {
  readonly [Name in FoundList]: {
    readonly list: Name;
    readonly kind: FindKind | 'reference';
    readonly items: readonly Lists[Name][];
    /** Null if no further item matches. */
    readonly next: ListPage<Lists[Name]>['next'];
  };
}[FoundList];

const MOST_OF_KIND = 10;

export async function findPayments({ lists, searchStore, rails }: FindParts, order: FindOrder): Promise<Found[]> {
  const { text, merchantId } = order;
  const read = async (kind: Found['kind'], { list, ...search }: ListSearch, of = merchantId): Promise<Found[]> => {
    if (!order.lists.includes(list)) return [];
    const page = await lists[list]({ ...search, merchantId: of, after: null, limit: MOST_OF_KIND });
    return page.items.length > 0 || page.next !== null ? [{ list, kind, ...page } as Found] : [];
  };
  const found: Found[] = [];
  const known = await searchStore.find(rails, text);
  const isSeen = (key: { readonly merchantId: MerchantId }) => merchantId === null || key.merchantId === merchantId;
  const whole = { from: null, to: null };
  for (const { merchantId: of, payoutId } of known.payouts.filter(isSeen))
    found.push(...(await read('reference', { ...whole, list: 'payouts', filters: { payoutId } }, of)));
  for (const { merchantId: of, transactionId } of known.deposits.filter(isSeen))
    found.push(...(await read('reference', { ...whole, list: 'deposits', filters: { transactionId } }, of)));
  for (const kind of FIND_KINDS)
    for (const search of RECOGNISERS[kind](text) ?? []) found.push(...(await read(kind, search)));
  return found;
}
