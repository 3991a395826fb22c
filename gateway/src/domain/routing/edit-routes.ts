/** The operator's commands for routes and opening hours. They reject impossible values before they store anything. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { OpeningHours } from './opening-hours.ts';
import { PAUSES_KNOWN_AFTER_MS } from './pauses.ts';
import type { IsCurrent, Route, RouteStore } from './route-store.ts';

export type RouteRejection =
  | { readonly kind: 'no_such_rail'; readonly rails: readonly string[] }
  /** `methods` lists the methods that the rail carries. */
  | { readonly kind: 'method_not_carried'; readonly methods: readonly number[] }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'limits_crossed' }
  | { readonly kind: 'no_such_route' }
  /** The routes are not those that the caller read. */
  | { readonly kind: 'changed_meanwhile' };

/** Returns a version that changes with the routes. */
export function routesVersion(routes: readonly Route[]): string {
  const text = JSON.stringify(routes, (_name, part) => (typeof part === 'bigint' ? part.toString() : part));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The facts about a rail that routes need: the payout methods that it carries. */
interface CarryingRail {
  readonly name: string;
  readonly methods: ReadonlySet<number>;
}

interface EditRoutesParts {
  readonly store: RouteStore;
  readonly rails: () => Promise<readonly CarryingRail[]>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly clock: Clock;
}

/** Returns the route as it would be stored, or the reason why not. */
export async function checkRoute(parts: EditRoutesParts, route: Route): Promise<Result<Route, RouteRejection>> {
  const known = await parts.rails();
  const rail = known.find(({ name }) => name === route.rail);
  if (!rail) return unknownRail(known);
  const rejection = await refusalOf(parts, rail, route);
  return rejection ? fail(rejection) : ok(route);
}

/** `ifVersion` is the version of the routes that the caller read. */
export async function setRoute(
  parts: EditRoutesParts,
  route: Route,
  ifVersion?: string,
): Promise<Result<Route, RouteRejection>> {
  const checked = await checkRoute(parts, route);
  if (!checked.ok) return checked;
  return (await parts.store.set(route, current(ifVersion))) ? checked : fail({ kind: 'changed_meanwhile' });
}

export async function removeRoute(
  { store }: Pick<EditRoutesParts, 'store'>,
  method: number,
  merchantId: MerchantId | null,
  rail: string,
  ifVersion?: string,
): Promise<Result<'removed', RouteRejection>> {
  const removed = await store.remove(method, merchantId, rail, current(ifVersion));
  if (removed === 'stale') return fail({ kind: 'changed_meanwhile' });
  return removed === 'removed' ? ok('removed') : fail({ kind: 'no_such_route' });
}

/** Null hours mean always open. Workers apply the change within moments, and waiting payouts continue. */
export async function setHours(
  { store, rails, clock }: Pick<EditRoutesParts, 'store' | 'rails' | 'clock'>,
  rail: string,
  hours: OpeningHours | null,
): Promise<Result<'set', RouteRejection>> {
  const known = await rails();
  if (!known.some(({ name }) => name === rail)) return unknownRail(known);
  await store.setHours(rail, hours, clock.now() + PAUSES_KNOWN_AFTER_MS);
  return ok('set');
}

function current(version: string | undefined): IsCurrent | undefined {
  return version === undefined ? undefined : (routes) => routesVersion(routes) === version;
}

function unknownRail(known: readonly CarryingRail[]) {
  return fail({ kind: 'no_such_rail', rails: known.map(({ name }) => name) } as const);
}

async function refusalOf(
  { merchants }: EditRoutesParts,
  { methods }: CarryingRail,
  { method, merchantId, minAmount, maxAmount }: Route,
): Promise<RouteRejection | undefined> {
  if (!methods.has(method)) return { kind: 'method_not_carried', methods: [...methods] };
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) return { kind: 'limits_crossed' };
  return merchantId !== null && !(await merchants.find(merchantId)) ? { kind: 'merchant_not_found' } : undefined;
}
