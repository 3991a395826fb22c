/** The operator's commands for routes and opening hours. They reject impossible values before they store anything. */
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { OpeningHours } from './opening-hours.ts';
import { PAUSES_KNOWN_AFTER_MS } from './pauses.ts';
import type { Route, RouteStore, RouteTable } from './route.ts';

export type RouteRefusal =
  | { readonly kind: 'no_such_rail'; readonly rails: readonly string[] }
  /** `methods`: the methods that the rail carries. */
  | { readonly kind: 'method_not_carried'; readonly methods: readonly number[] }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'limits_crossed' }
  | { readonly kind: 'no_such_route' };

export interface LayRoutes {
  read(): Promise<RouteTable>;
  set(route: Route): Promise<Result<Route, RouteRefusal>>;
  remove(method: number, merchantId: MerchantId | null, rail: string): Promise<Result<'removed', RouteRefusal>>;
  /** Null: always open. Workers read the change within moments, and waiting payouts continue. */
  setHours(rail: string, hours: OpeningHours | null): Promise<Result<'set', RouteRefusal>>;
}

/** The facts about a rail that routes need: the payout methods that it carries. */
interface CarryingRail {
  readonly name: string;
  readonly methods: ReadonlySet<number>;
}

export interface LayRoutesParts {
  readonly store: RouteStore;
  readonly rails: readonly CarryingRail[];
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly clock: Clock;
}

export function createLayRoutes(parts: LayRoutesParts): LayRoutes {
  const { store, rails, clock } = parts;
  const unknownRail = () => fail({ kind: 'no_such_rail', rails: rails.map(({ name }) => name) } as const);
  return {
    read: () => store.read(),
    async set(route) {
      const rail = rails.find(({ name }) => name === route.rail);
      if (!rail) return unknownRail();
      const refusal = await refusalOf(parts, rail, route);
      if (refusal) return fail(refusal);
      await store.set(route);
      return ok(route);
    },
    async remove(method, merchantId, rail) {
      return (await store.remove(method, merchantId, rail)) ? ok('removed') : fail({ kind: 'no_such_route' });
    },
    async setHours(rail, hours) {
      if (!rails.some(({ name }) => name === rail)) return unknownRail();
      await store.setHours(rail, hours, clock.now() + PAUSES_KNOWN_AFTER_MS);
      return ok('set');
    },
  };
}

async function refusalOf(
  { merchants }: LayRoutesParts,
  { methods }: CarryingRail,
  { method, merchantId, minAmount, maxAmount }: Route,
): Promise<RouteRefusal | undefined> {
  if (!methods.has(method)) return { kind: 'method_not_carried', methods: [...methods] };
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) return { kind: 'limits_crossed' };
  return merchantId !== null && !(await merchants.find(merchantId)) ? { kind: 'merchant_not_found' } : undefined;
}
