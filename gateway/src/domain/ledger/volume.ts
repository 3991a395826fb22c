/** Volumes: how many payments of which kind the ledger posted per hour, day or week. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

const FLOWS = ['payout', 'return', 'refund', 'deposit'] as const;
export type Flow = (typeof FLOWS)[number];

const VOLUME_STATES = [
  'accepted',
  'success',
  'blocked',
  'reversed',
  'executed_late',
  'held',
  'displaced',
  'taken_back',
  'given_again',
] as const;
type VolumeState = (typeof VOLUME_STATES)[number];

/** The upper bounds of the wait buckets, each inclusive. The last bucket is unbounded. */
export const WAIT_BUCKETS_MS: readonly number[] = [
  SECOND_MS,
  5 * SECOND_MS,
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  DAY_MS,
];

export const GRAINS = ['hour', 'day', 'week'] as const;
export type Grain = (typeof GRAINS)[number];

/** The longest range of each grain, so that a response stays small. */
export const LONGEST_RANGE_MS: Readonly<Record<Grain, number>> = {
  hour: 32 * DAY_MS,
  day: 400 * DAY_MS,
  week: 1_830 * DAY_MS,
};

export interface Volume {
  /** The beginning of the hour, day or week (Monday), UTC. */
  readonly start: Instant;
  readonly flow: Flow;
  /** The payout method's number, or the payment type of a deposit. Empty for a payment without either. */
  readonly method: string;
  /** Empty if the rail was not known at that time. */
  readonly rail: string;
  readonly currency: Currency;
  readonly state: VolumeState;
  readonly payments: number;
  /** The amount in minor units. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** The number of payments per bucket of their time to the result. Empty for a state that is not a result. */
  readonly waits: readonly number[];
}

export interface VolumeQuery {
  /** The merchant of the volumes. If null, they cover all merchants. */
  readonly merchantId: MerchantId | null;
  readonly from: Instant;
  readonly until: Instant;
  readonly grain: Grain;
}

export interface Volumes {
  /** Hours from this time on are not counted yet. */
  readonly closedUntil: Instant;
  readonly volumes: readonly Volume[];
}
