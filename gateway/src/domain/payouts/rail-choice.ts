/** Chooses the rail of a payout, and the next one after a rail did not accept it. */
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { formatAmount, type Money, percentOf } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { closedUntil } from '../routing/opening-hours.ts';
import type { Pause } from '../routing/pause-store.ts';
import type { Route, RouteTable } from '../routing/route-store.ts';
import type { HistoryReason, RailObstacle } from './history-reason.ts';
import type { MerchantPayout, Payout } from './payout.ts';
import type { PayoutRail } from './payout-rail.ts';
import type { PayoutRejection } from './payout-rejection.ts';

/** The parts of a payout that its rail depends on. */
type Routed = Pick<MerchantPayout, 'method' | 'money' | 'beneficiary' | 'contentHash'>;

interface ChosenRail {
  readonly rail: string;
  /** For the payout's history. */
  readonly why: readonly HistoryReason[];
}

export interface RailChoice {
  /** Chooses the rail of a new payout. */
  choose(merchant: Merchant, payout: Routed): Promise<Result<ChosenRail, PayoutRejection>>;
  /**
   * Chooses the next rail of a payout that `payout.rail` provably did not accept: the next in order that is neither
   * held back nor down, and the first again after the last. Undefined: no other rail.
   */
  elsewhere(merchant: Merchant, payout: Payout, isDown: (rail: string) => boolean): Promise<NextRail | undefined>;
  /** True if another rail, neither held back nor down, carries a method of this rail. */
  mayLeave(rail: string, isDown: (rail: string) => boolean): Promise<boolean>;
}

interface NextRail {
  readonly rail: string;
  /** True if the order starts again, because every rail was chosen once. */
  readonly isFirstAgain: boolean;
}

export interface RailChoiceParts {
  readonly rails: readonly RoutableRail[];
  readonly table: () => Promise<RouteTable>;
  readonly pauses: () => Promise<readonly Pause[]>;
  readonly clock: Clock;
}

export function createRailChoice({ rails, table, pauses, clock }: RailChoiceParts): RailChoice {
  async function routing() {
    const [{ routes, hours }, paused] = await Promise.all([table(), pauses()]);
    return { routes, heldBack: holdsOf(hours, paused, clock.now()) };
  }
  async function rank(merchant: Merchant, payout: Routed) {
    const { routes, heldBack } = await routing();
    return { ...rankRails({ rails, routes, heldBack }, merchant, subjectOf(payout)), heldBack };
  }
  return {
    async choose(merchant, payout) {
      if (merchant.settings.disabled_methods.includes(String(payout.method)))
        return fail({ kind: 'method_unavailable' });
      const ranked = await rank(merchant, payout);
      const [rail] = ranked.rails;
      return rail === undefined ? fail(refusalOf(ranked)) : ok({ rail, why: ranked.why });
    },
    async elsewhere(merchant, payout, isDown) {
      // The gateway's own payouts must take the rail that their money came by.
      const { method } = payout;
      if (method === null) return undefined;
      const { rails: ranked, heldBack } = await rank(merchant, { ...payout, method });
      const at = ranked.indexOf(payout.rail);
      const isFree = (rail: string) => rail !== payout.rail && heldBack(rail) === undefined && !isDown(rail);
      const later = ranked.slice(at + 1).find(isFree);
      if (later !== undefined) return { rail: later, isFirstAgain: false };
      const earlier = ranked.slice(0, Math.max(at, 0)).find(isFree);
      return earlier === undefined ? undefined : { rail: earlier, isFirstAgain: true };
    },
    async mayLeave(name, isDown) {
      const { routes, heldBack } = await routing();
      const own = rails.find((rail) => rail.name === name);
      const free = rails.filter((rail) => rail !== own && heldBack(rail.name) === undefined && !isDown(rail.name));
      return [...(own?.methods ?? [])].some((method) => {
        const routed = railsOf(method, routes, rails);
        return free.some((rail) => rail.methods.has(method) && routed.includes(rail.name));
      });
    },
  };
}

/** The routes of a method, or else the registry's rails. */
function railsOf(method: number, routes: RouteTable['routes'], rails: readonly RoutableRail[]): string[] {
  const configured = routes.filter((route) => route.method === method).map(({ rail }) => rail);
  return configured.length > 0 ? configured : railsInOrder(rails, method).map(({ name }) => name);
}

function holdsOf(hours: RouteTable['hours'], pauses: readonly Pause[], now: Instant) {
  return (rail: string): HeldBack | undefined => {
    if (pauses.some(({ scope, target }) => scope === 'rail' && target === rail)) return 'paused';
    return closedUntil(hours, rail, now) === undefined ? undefined : 'closed';
  };
}

/** Prefers an obstacle that the merchant can remove: a missing field, an amount, another card. */
function refusalOf({ obstacles }: RankedRails): PayoutRejection {
  for (const [code, , field = ''] of obstacles) if (code === 'needs') return { kind: 'invalid_field', field };
  const codes = new Set(obstacles.map(([code]) => code));
  if (codes.has('amount_from') || codes.has('amount_up_to')) return { kind: 'amount_out_of_limits' };
  return codes.has('cards_only') ? { kind: 'invalid_field', field: 'account' } : { kind: 'method_unavailable' };
}

/**
 * The hash is keyed, so an outsider cannot choose a payout's rail by its content. The same payout always draws the same
 * number.
 */
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
  /** From 0 to 1, constant for one payout. It selects a rail by weight within a rank. */
  readonly draw: number;
}

export type RoutableRail = Pick<PayoutRail, 'name' | 'methods' | 'fallbackFor' | 'accounts' | 'simulated' | 'needs'>;

interface RankedRails {
  /** In order of preference. */
  readonly rails: readonly string[];
  readonly obstacles: readonly RailObstacle[];
  /** The first rail and why, the next ones, and the rails left out. */
  readonly why: readonly HistoryReason[];
}

/** Why a rail is held back. */
type HeldBack = 'paused' | 'closed';

export interface RankingParts {
  readonly rails: readonly RoutableRail[];
  readonly routes: readonly Route[];
  /** A rail that is held back now comes after all others. */
  readonly heldBack: (rail: string) => HeldBack | undefined;
}

/**
 * Ranks the rails for a payout by the operator's routes, with reasons. For a method without routes, each configured
 * rail that carries it counts as a route, in the registry's order; fallback rails come last. Pure.
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
    why: explain(ranked, obstacles, { hasRoutes: configured.length > 0, ordered, heldBack }),
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

/** The rails that carry a method without routes, in order of preference. */
export function railsInOrder<Rail extends RoutableRail>(rails: readonly Rail[], method: number): readonly Rail[] {
  const carrying = rails.filter(({ methods }) => methods.has(method));
  const [first, last] = [false, true].map((isLast) =>
    carrying.filter(({ fallbackFor }) => (fallbackFor?.has(method) ?? false) === isLast),
  );
  return [...(first ?? []), ...(last ?? [])];
}

/** A merchant in test reaches simulated rails only, so that its tests cannot move real money. */
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

function totalWeight(routes: readonly Route[]): number {
  return routes.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
}

/** The provider's cost of a payout, in minor units. */
export function costOf({ costFixed, costPercent }: Route, money: Money): bigint {
  return costFixed + percentOf(money, costPercent).minor;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Circumstances {
  readonly hasRoutes: boolean;
  readonly ordered: readonly Route[];
  readonly heldBack: RankingParts['heldBack'];
}

function explain(
  ranked: readonly Route[],
  obstacles: readonly RailObstacle[],
  { hasRoutes, ordered, heldBack }: Circumstances,
): readonly HistoryReason[] {
  const [first, ...rest] = ranked;
  if (!first) return [['no_rail'], ...obstacles];
  const passed = ordered.slice(0, ordered.indexOf(first)).flatMap(({ rail }): HistoryReason[] => {
    const held = heldBack(rail);
    return held === undefined ? [] : [[held, rail]];
  });
  const others: HistoryReason[] = rest.length > 0 ? [['others', ...rest.map(({ rail }) => rail)]] : [];
  return [reasonFor(first, ranked, hasRoutes), ...passed, ...others, ...obstacles];
}

function reasonFor({ rail, rank, weight }: Route, ranked: readonly Route[], hasRoutes: boolean): HistoryReason {
  if (ranked.length === 1) return [hasRoutes ? 'only_route' : 'only_rail', rail];
  if (!hasRoutes) return ['first_rail', rail];
  const beside = ranked.filter((route) => route.rank === rank);
  if (beside.length === 1) return ['first_rank', rail];
  return weight === null ? ['cheapest', rail] : ['drawn', rail, String(weight), String(totalWeight(beside))];
}
