/** Where payouts may go, as the operator has laid it down: routes by method and merchant, and when a rail is open. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { OpeningHours, RailHours } from './opening-hours.ts';

/** One rail among those that a method's payouts may take. Amounts in minor units of the method's currency. */
export interface Route {
  readonly method: number;
  /** Null: for every merchant that has no routes of their own for the method. */
  readonly merchantId: MerchantId | null;
  readonly rail: string;
  /** The lowest place comes first. */
  readonly place: number;
  /** Its share among those of its place; null: the cheaper comes first. */
  readonly weight: number | null;
  /** Smaller payouts go elsewhere; null: there is no such limit. */
  readonly minAmount: bigint | null;
  /** Larger payouts go elsewhere. */
  readonly maxAmount: bigint | null;
  /** What the provider takes of each payout. */
  readonly costFixed: bigint;
  /** Millionths of the amount. */
  readonly costPercent: bigint;
}

/** All that the operator has laid down. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly hours: readonly RailHours[];
}

export interface RouteStore {
  read(): Promise<RouteTable>;
  /** Puts a route in the place of the one of the same method, merchant and rail. */
  set(route: Route): Promise<void>;
  /** False when there was none. */
  remove(method: number, merchantId: MerchantId | null, rail: string): Promise<boolean>;
  /** Null hours: always open. What waited for the old ones becomes due at `at`. */
  setHours(rail: string, hours: OpeningHours | null, at: Instant): Promise<void>;
}
