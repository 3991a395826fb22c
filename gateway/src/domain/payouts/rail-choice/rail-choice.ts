/** Chooses the rail of a payout, and the next rail after a rail did not accept it. */
import type { Clock, Instant } from '../../../foundation/clock.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { closedUntil } from '../../routing/opening-hours.ts';
import type { Pause } from '../../routing/pause-store.ts';
import type { RouteTable } from '../../routing/route-store.ts';
import type { HistoryReason } from '../history-reason.ts';
import type { Payout } from '../payout.ts';
import type { PayoutRejection } from '../payout-rejection.ts';
import type { HeldBack } from './explain-ranking.ts';
import { type RankedRails, type RoutableRail, type Routed, railsInOrder, rankRails, subjectOf } from './rank-rails.ts';

interface ChosenRail {
  readonly rail: string;
  /** The reasons for the payout's history. */
  readonly why: readonly HistoryReason[];
}

export interface RailChoice {
  /** Chooses the rail of a new payout. */
  choose(merchant: Merchant, payout: Routed): Promise<Result<ChosenRail, PayoutRejection>>;
  /**
   * Chooses the next rail of a payout that `payout.rail` provably did not accept: the next in order that is neither held back
   * nor down, and after the last the first again. Returns undefined if there is none.
   */
  nextRail(merchant: Merchant, payout: Payout, isDown: (rail: string) => boolean): Promise<NextRail | undefined>;
  /** True if another rail, neither held back nor down, carries a method of this rail. */
  canReroute(rail: string, isDown: (rail: string) => boolean): Promise<boolean>;
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
    async nextRail(merchant, payout, isDown) {
      // The gateway's own payouts must use the rail through which their money came.
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
    async canReroute(name, isDown) {
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

/** Returns the routes of a method, or otherwise the registry's rails. */
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

/** Prefers an obstacle that the merchant can remove: a missing field, the amount, the card. */
function refusalOf({ obstacles }: RankedRails): PayoutRejection {
  for (const [code, , field = ''] of obstacles) if (code === 'needs') return { kind: 'invalid_field', field };
  const codes = new Set(obstacles.map(([code]) => code));
  if (codes.has('amount_from') || codes.has('amount_up_to')) return { kind: 'amount_out_of_limits' };
  return codes.has('cards_only') ? { kind: 'invalid_field', field: 'account' } : { kind: 'method_unavailable' };
}
