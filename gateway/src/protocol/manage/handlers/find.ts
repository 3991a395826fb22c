/** The search. Each item is one line for a search box; the lists have the details. */
import type { FIND_ENDPOINTS, FoundItem } from '../../../../contract/endpoints/find.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { FoundList } from '../../../domain/lists/find-kinds.ts';
import type { Found } from '../../../domain/lists/find-payments.ts';
import type { Lists } from '../../../domain/lists/list-store.ts';
import { mayUse } from '../../../domain/people/caller.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { writeCursor } from '../lists/cursor.ts';
import { instantText } from '../views/instant-text.ts';
import { type Mask, maskFor } from '../views/mask.ts';

type Line = Omit<FoundItem, 'matched' | 'list'>;

const LINES = {
  payouts: payoutLine,
  refunds: ({ payout }, mask) => payoutLine(payout, mask),
  deposits: ({ merchantId, orderId, transactionId, money, state, rail, payTo, createdAt }) => ({
    merchantId,
    id: orderId,
    transactionId,
    state,
    rail,
    shown: payTo,
    at: instantText(createdAt),
    amount: formatAmount(money),
    currency: money.currency,
  }),
  payments: ({ merchantId, orderId, transactionId, money, state, rail, cardMask, startedAt }) => ({
    merchantId,
    id: orderId,
    transactionId,
    state,
    rail,
    shown: cardMask ?? '',
    at: instantText(startedAt),
    amount: formatAmount(money),
    currency: money.currency,
  }),
  transfers: ({ merchantId, rail, transferKey, transactionId, money, state, payTo, recordedAt }) => ({
    merchantId,
    id: `${rail}/${transferKey}`,
    transactionId,
    state,
    rail,
    shown: payTo,
    at: instantText(recordedAt),
    amount: formatAmount(money),
    currency: money.currency,
  }),
} as const satisfies { readonly [Name in Exclude<FoundList, 'callbacks'>]: (item: Lists[Name], mask: Mask) => Line };

export function findHandlers({ lists: payments }: GatewayOperations): HandlersOf<typeof FIND_ENDPOINTS> {
  return {
    async 'payments.find'({ query, caller }) {
      const lists: FoundList[] = ['payouts', 'refunds'];
      if (mayUse(caller, 'deposits:read')) lists.push('deposits', 'payments', 'transfers');
      const merchantId = caller.merchantId ?? query.merchantId ?? null;
      const found = await payments.find({ text: query.q.trim(), merchantId, lists });
      const mask = maskFor(caller);
      const items = found.flatMap((each) => linesOf(each, mask));
      const more = found.flatMap(({ kind, list, next }) =>
        next === null ? [] : [{ matched: kind, list, next: writeCursor([next.at, ...next.key]) }],
      );
      return ok({ answer: { items: withoutTwins(items), more } });
    },
  };
}

function linesOf({ list, kind, items }: Found, mask: Mask): FoundItem[] {
  if (list === 'callbacks') return [];
  const line = LINES[list] as (item: unknown, mask: Mask) => Line;
  return items.map((item) => ({ matched: kind, list, ...line(item, mask) }));
}

/** A payment that matches in several ways is listed once, with its first match. */
function withoutTwins(items: readonly FoundItem[]): FoundItem[] {
  const first = new Map<string, FoundItem>();
  for (const item of items) {
    const key = JSON.stringify([item.list, item.merchantId, item.id, item.transactionId]);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}

function payoutLine({ merchantId, payoutId, transactionId, ...payout }: Lists['payouts'], mask: Mask): Line {
  const { money, state, rail, beneficiary, acceptedAt } = payout;
  return {
    merchantId,
    id: payoutId,
    transactionId,
    state,
    rail,
    amount: formatAmount(money),
    currency: money.currency,
    shown: mask(beneficiary.accountShown),
    at: instantText(acceptedAt),
  };
}
