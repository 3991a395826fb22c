/**
 * Replays accepted payouts with a draft of the routes: the rail that each would use, its cost, and the payouts that no rail
 * would accept. It changes nothing. Opening hours apply as of the time of the payout; pauses and outages do not.
 */

import { type Clock, DAY_MS, type Instant } from '../../../foundation/clock.ts';
import type { Currency } from '../../../foundation/currency.ts';
import type { ListStore, Place } from '../../lists/list-store.ts';
import type { MerchantDirectory } from '../../merchants/merchant-directory.ts';
import type { HistoryReason } from '../../payouts/history-reason.ts';
import type { MerchantPayout, Payout } from '../../payouts/payout.ts';
import { costOf, type RoutableRail, rankRails, subjectOf } from '../../payouts/rail-choice/rank-rails.ts';
import { closedUntil } from '../opening-hours.ts';
import type { Route, RouteStore, RouteTable } from '../route-store.ts';

/** The sums in minor units. */
export interface ReplayedSums {
  count: number;
  amount: bigint;
  /** The cost by the rail's routes. */
  cost: bigint;
}

/** The payouts of a method that one rail accepts. */
export interface ReplayedShare {
  readonly method: number;
  readonly currency: Currency;
  /** Null if no rail accepts them. */
  readonly rail: string | null;
  /** The reasons why no rail accepts the payouts, otherwise empty. */
  readonly why: readonly HistoryReason[];
  readonly now: ReplayedSums;
  readonly draft: ReplayedSums;
}

export interface RouteReplay {
  readonly from: Instant;
  readonly payouts: number;
  /** False if the replay covers only the newest payouts, because there are too many. */
  readonly isWhole: boolean;
  readonly shares: readonly ReplayedShare[];
}

interface ReplayRoutesParts {
  readonly lists: Pick<ListStore, 'payouts'>;
  readonly store: Pick<RouteStore, 'read'>;
  readonly rails: readonly RoutableRail[];
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The maximum number of payouts of a replay. */
const MOST_REPLAYED = 10_000;
const PAGE = 500;

export async function replayRoutes(
  parts: ReplayRoutesParts,
  draft: readonly Route[],
  days: number,
): Promise<RouteReplay> {
  const from = parts.clock.now() - days * DAY_MS;
  const { routes, hours } = await parts.store.read();
  const shares = new Map<string, ReplayedShare>();
  let payouts = 0;
  let isWhole = false;
  for await (const { items, isLast } of pagesSince(parts, from)) {
    for (const payout of items) {
      const merchant = (await parts.merchants.find(payout.merchantId))?.merchant;
      if (!merchant) continue;
      payouts++;
      for (const [side, table] of [['now', routes] as const, ['draft', draft] as const]) {
        const taken = take(parts.rails, { routes: table, hours }, merchant, payout);
        add(shares, payout, side, taken);
      }
    }
    isWhole = isLast;
  }
  return { from, payouts, isWhole, shares: [...shares.values()] };
}

async function* pagesSince({ lists }: ReplayRoutesParts, from: Instant) {
  let after: Place | null = null;
  for (let read = 0; read < MOST_REPLAYED; read += PAGE) {
    const page: Awaited<ReturnType<ListStore['payouts']>> = await lists.payouts({
      merchantId: null,
      from,
      to: null,
      after,
      limit: PAGE,
      filters: { purpose: 'payout' },
    });
    after = page.next;
    yield { items: page.items.filter(isOfMerchant), isLast: after === null };
    if (after === null) return;
  }
}

function isOfMerchant(payout: Payout): payout is MerchantPayout {
  return payout.purpose === 'payout';
}

interface Taken {
  readonly rail: string | null;
  readonly why: readonly HistoryReason[];
  readonly cost: bigint;
}

function take(
  rails: readonly RoutableRail[],
  { routes, hours }: RouteTable,
  merchant: Parameters<typeof rankRails>[1],
  payout: MerchantPayout,
): Taken {
  const heldBack = (rail: string) => (closedUntil(hours, rail, payout.acceptedAt) === undefined ? undefined : 'closed');
  const ranked = rankRails({ rails, routes, heldBack }, merchant, subjectOf(payout));
  const [rail] = ranked.rails;
  if (rail === undefined) return { rail: null, why: ranked.why, cost: 0n };
  const own = routes.filter((route) => route.method === payout.method && route.rail === rail);
  const route = own.find(({ merchantId }) => merchantId === payout.merchantId) ?? own.find((each) => !each.merchantId);
  return { rail, why: [], cost: route ? costOf(route, payout.money) : 0n };
}

function add(
  shares: Map<string, ReplayedShare>,
  { method, money: { currency, minor } }: MerchantPayout,
  side: 'now' | 'draft',
  { rail, why, cost }: Taken,
): void {
  const key = JSON.stringify([method, currency, rail, why]);
  const none = () => ({ count: 0, amount: 0n, cost: 0n });
  const share = shares.get(key) ?? { method, currency, rail, why, now: none(), draft: none() };
  shares.set(key, share);
  share[side].count++;
  share[side].amount += minor;
  share[side].cost += cost;
}
