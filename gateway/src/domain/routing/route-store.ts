/** The operator's routes by method and merchant, and the opening hours of rails. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { OpeningHours, RailHours } from './opening-hours.ts';

/** A rail that a method's payouts may use. Amounts are in minor units of the method's currency. */
export interface Route {
  readonly method: number;
  /** Null for the route of every merchant without its own routes for this method. */
  readonly merchantId: MerchantId | null;
  readonly rail: string;
  /** The rank: the lowest comes first. */
  readonly rank: number;
  /** The route's share among the routes of its rank. If null, the cheapest comes first. */
  readonly weight: number | null;
  /** Smaller payouts use a different route. Null means no limit. */
  readonly minAmount: bigint | null;
  /** Larger payouts use a different route. Null means no limit. */
  readonly maxAmount: bigint | null;
  /** The provider's fixed cost per payout. */
  readonly costFixed: bigint;
  /** The variable cost in millionths of the amount. */
  readonly costPercent: bigint;
}

/** All routes and opening hours that the operator set. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly hours: readonly RailHours[];
}

/** Returns true while the routes are those that the caller read. */
export type IsCurrent = (routes: readonly Route[]) => boolean;

export interface RouteStore {
  read(): Promise<RouteTable>;
  /**
   * Replaces the route of the same method, merchant and rail, if there is one. Returns false, without a change, if `isCurrent`
   * rejected the stored routes. Changes with `isCurrent` are serialised.
   */
  set(route: Route, isCurrent?: IsCurrent): Promise<boolean>;
  /** `none`: there was no such route. `stale`: `isCurrent` rejected the stored routes. */
  remove(
    method: number,
    merchantId: MerchantId | null,
    rail: string,
    isCurrent?: IsCurrent,
  ): Promise<'removed' | 'none' | 'stale'>;
  /** Null hours mean always open. Payouts that waited for the old hours become due at `at`. */
  setHours(rail: string, hours: OpeningHours | null, at: Instant): Promise<void>;
}
