/** Ranks the rails for a payout by the operator's routes, or by the registry's order. Pure. */
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { formatAmount, type Money, percentOf } from '../../../foundation/money.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { Route } from '../../routing/route-store.ts';
import type { HistoryReason, RailObstacle } from '../history-reason.ts';
import type { MerchantPayout } from '../payout.ts';
import type { PayoutRail } from '../payout-rail.ts';
import { explainRanking, type HeldBack, totalWeight } from './explain-ranking.ts';

/** The parts of a payout on which its rail depends. */
export type Routed = Pick<MerchantPayout, 'method' | 'money' | 'beneficiary' | 'contentHash'>;

/** The hash is keyed, so that no outsider can choose a payout's rail by its content. It is constant for a payout. */
export function subjectOf({ method, money, beneficiary, contentHash }: Routed) {
  const { fields, accountShown } = beneficiary;
  const draw = contentHash.readUInt32BE(0) / 2 ** 32;
  return { method, money, fields: new Set(Object.keys(fields)), accountShown, draw };
}

/** The facts about a payout when its rail is chosen. */
export interface RouteSubject {
  readonly method: number;
  readonly money: Money;
  /** The names of its beneficiary fields. */
  readonly fields: ReadonlySet<string>;
  /** Contains only the mask of a card. */
  readonly accountShown: string;
  /** A number from 0 to 1 that is constant for one payout. It selects a rail by weight within a rank. */
  readonly draw: number;
}

export type RoutableRail = Pick<PayoutRail, 'name' | 'methods' | 'fallbackFor' | 'accounts' | 'simulated' | 'needs'>;

export interface RankedRails {
  /** The rails in order of preference. */
  readonly rails: readonly string[];
  readonly obstacles: readonly RailObstacle[];
  /** The first rail and the reason, the next rails, and the excluded rails. */
  readonly why: readonly HistoryReason[];
}

export interface RankingParts {
  readonly rails: readonly RoutableRail[];
  readonly routes: readonly Route[];
  /** A rail that is held back now comes after all others. */
  readonly heldBack: (rail: string) => HeldBack | undefined;
}

/**
 * Ranks the rails for a payout by the operator's routes, with reasons. For a method without routes, each configured rail that
 * carries it counts as a route, in the registry's order; fallback rails come last. Pure.
 */
export function rankRails(
  { rails, routes, heldBack }: RankingParts,
  merchant: Pick<Merchant, 'merchantId' | 'state'>,
  subject: RouteSubject,
): RankedRails {
  const configured = routesOf(routes, subject.method, merchant.merchantId);
  const all = configured.length > 0 ? configured : routesOfRegistry(rails, subject.method);
  const open: Route[] = [];
  const obstacles: RailObstacle[] = [];
  for (const route of all) {
    const rail = rails.find(({ name, methods }) => name === route.rail && methods.has(subject.method));
    const obstacle = obstacleOf(route, rail, merchant, subject);
    if (obstacle) obstacles.push(obstacle);
    else open.push(route);
  }
  const ordered = inOrder(open, subject);
  const free = ordered.filter(({ rail }) => heldBack(rail) === undefined);
  const held = ordered.filter(({ rail }) => heldBack(rail) !== undefined);
  const ranked = [...free, ...held];
  return {
    rails: ranked.map(({ rail }) => rail),
    obstacles,
    why: explainRanking(ranked, obstacles, { hasRoutes: configured.length > 0, ordered, heldBack }),
  };
}

/** A merchant's own routes for a method replace the common ones. */
function routesOf(routes: readonly Route[], method: number, merchantId: MerchantId): readonly Route[] {
  const ofMethod = routes.filter((route) => route.method === method);
  const own = ofMethod.filter((route) => route.merchantId === merchantId);
  return own.length > 0 ? own : ofMethod.filter((route) => route.merchantId === null);
}

function routesOfRegistry(rails: readonly RoutableRail[], method: number): Route[] {
  const unlimited = {
    merchantId: null,
    weight: null,
    minAmount: null,
    maxAmount: null,
    costFixed: 0n,
    costPercent: 0n,
  };
  return railsInOrder(rails, method).map(({ name }, rank) => ({ ...unlimited, method, rail: name, rank }));
}

/** Returns the rails that carry a method without routes, in order of preference. */
export function railsInOrder<Rail extends RoutableRail>(rails: readonly Rail[], method: number): readonly Rail[] {
  const carrying = rails.filter(({ methods }) => methods.has(method));
  const [first, last] = [false, true].map((isLast) =>
    carrying.filter(({ fallbackFor }) => (fallbackFor?.has(method) ?? false) === isLast),
  );
  return [...(first ?? []), ...(last ?? [])];
}

/** A merchant in test mode gets only simulated rails, so that its tests cannot move real money. */
function obstacleOf(
  { rail: name, minAmount, maxAmount }: Route,
  rail: RoutableRail | undefined,
  { state }: Pick<Merchant, 'state'>,
  { money, fields, accountShown }: RouteSubject,
): RailObstacle | undefined {
  if (!rail) return ['not_configured', name];
  if (state === 'test' && !rail.simulated) return ['real_money', name];
  const text = (minor: bigint) => formatAmount({ ...money, minor });
  if (minAmount !== null && money.minor < minAmount) return ['amount_from', name, text(minAmount)];
  if (maxAmount !== null && money.minor > maxAmount) return ['amount_up_to', name, text(maxAmount)];
  if (rail.accounts && !rail.accounts.include(accountShown)) return ['cards_only', name, rail.accounts.scheme];
  const field = rail.needs?.find((needed) => !fields.has(needed));
  return field === undefined ? undefined : ['needs', name, field];
}

function inOrder(routes: readonly Route[], subject: RouteSubject): readonly Route[] {
  if (routes.length < 2) return routes;
  const ranks = [...new Set(routes.map(({ rank }) => rank))].sort((left, right) => left - right);
  return ranks.flatMap((rank) =>
    withinPlace(
      routes.filter((route) => route.rank === rank),
      subject,
    ),
  );
}

/** Rails with a weight share the payouts. The others follow, cheapest first. */
function withinPlace(routes: readonly Route[], { money, draw }: RouteSubject): Route[] {
  const weighted = routes.filter(({ weight }) => weight !== null);
  const drawn = drawByWeight(weighted, draw);
  const others = routes.filter(({ weight }) => weight === null);
  const cheapest = others.sort((left, right) => compare(costOf(left, money), costOf(right, money)));
  const rest = weighted
    .filter((route) => route !== drawn)
    .sort((left, right) => (right.weight ?? 0) - (left.weight ?? 0));
  return [...(drawn ? [drawn] : []), ...rest, ...cheapest];
}

function drawByWeight(routes: readonly Route[], draw: number): Route | undefined {
  let left = draw * totalWeight(routes);
  for (const route of routes) {
    left -= route.weight ?? 0;
    if (left < 0) return route;
  }
  return routes.at(-1);
}

/** Returns the provider's cost of a payout, in minor units. */
export function costOf({ costFixed, costPercent }: Route, money: Money): bigint {
  return costFixed + percentOf(money, costPercent).minor;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
