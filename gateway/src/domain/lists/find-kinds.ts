/**
 * Recognises the kind of a search string with a table of kinds. Each kind has the lists to search and their filters, so a
 * search uses the indexes of the lists and is bounded like them.
 */
import { DAY_MS } from '../../foundation/clock.ts';
import type { ListName, ListQuery } from './list-store.ts';

export const FIND_KINDS = ['transaction', 'uuid', 'id', 'account', 'provider', 'amount', 'lastFour'] as const;
export type FindKind = (typeof FIND_KINDS)[number];

/** The lists of payments. */
export type FoundList = Exclude<ListName, 'requests' | 'ledger'>;

export interface ListSearch {
  readonly list: FoundList;
  readonly filters: ListQuery['filters'];
  readonly from: number | null;
  readonly to: number | null;
}

/** Returns undefined if the string is not of this kind. */
type Recogniser = (text: string) => readonly ListSearch[] | undefined;

const inLists = (
  ...searches: readonly (readonly [ListSearch['list'], ListQuery['filters']])[]
): readonly ListSearch[] => searches.map(([list, filters]) => ({ list, filters, from: null, to: null }));

/** "Transaction number 1054", as a payer's page shows it; "#1054"; or the id of a callback, which also contains the number. */
const TRANSACTION = /^(?:\D{0,40}?[\s#№:]+)?(\d{1,15})$/;
const CALLBACK = /^(?:payout|deposit|event)_(\d{1,15})_/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const AMOUNT_AND_DAY = /^(\d{1,12})(?:[.,](\d{2}))?\s+(?:[A-Z]{3}\s+)?(\d{4}-\d{2}-\d{2})$/;
const LAST_FOUR = /^(?:[*•….x]+\s?)?(\d{4})$/i;

export const RECOGNISERS: Readonly<Record<FindKind, Recogniser>> = {
  transaction(text) {
    const [, number] = TRANSACTION.exec(text) ?? CALLBACK.exec(text) ?? [];
    const transactionId = Number(number);
    if (!Number.isSafeInteger(transactionId) || transactionId < 1) return undefined;
    return inLists(['payouts', { transactionId }], ['deposits', { transactionId }]);
  },
  uuid: (text) => (UUID.test(text) ? inLists(['deposits', { uuid: text.toLowerCase() }]) : undefined),
  id: (text) => inLists(['payouts', { payoutId: text }], ['deposits', { orderId: text }]),
  account: (text) =>
    text.length >= 6 && !/\s/.test(text)
      ? inLists(['payouts', { account: text }], ['deposits', { payTo: text }])
      : undefined,
  provider: (text) =>
    text.length >= 6 && !/\s/.test(text) ? inLists(['payments', { providerReference: text }]) : undefined,
  amount(text) {
    const [, whole, part = '00', day = ''] = AMOUNT_AND_DAY.exec(text) ?? [];
    const from = Date.parse(`${day}T00:00:00Z`);
    if (whole === undefined || Number.isNaN(from)) return undefined;
    const amount = BigInt(whole + part);
    const filters = { minAmount: amount, maxAmount: amount };
    const lists: readonly ListSearch['list'][] = ['payouts', 'deposits', 'transfers'];
    return lists.map((list) => ({ list, filters, from, to: from + DAY_MS }));
  },
  lastFour(text) {
    const [, lastFour] = LAST_FOUR.exec(text) ?? [];
    return lastFour === undefined ? undefined : inLists(['payouts', { lastFour }], ['payments', { lastFour }]);
  },
};
