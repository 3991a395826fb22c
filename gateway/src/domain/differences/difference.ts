/**
 * A difference: a provider and the ledger disagree, and a person has to find out why. It is durable, so that no alert has to
 * be read in time, and it ends when a person resolves it or when the gateway finds that it is gone. It moves no money.
 */
import type { Instant } from '../../foundation/clock.ts';

/** Found by comparing a day of payouts with its provider. A later comparison that does not find one resolves it. */
export const COMPARED_KINDS = ['missing_here', 'missing_there', 'amount', 'state', 'duplicate', 'unreadable'] as const;

/**
 * Shown by a single report.
 * - `excess`: a provider takes back more of a payment than is left of it, or undoes what it has not reported.
 * - `refund_amount`: a provider made a refund of another amount than was ordered.
 * - `contradiction`: a bank contradicts a final state, and no money moved on it.
 * - `payout_amount`: a notification names another amount or currency than its payout has.
 * - `unknown_reference`: a notification names a payout or payment that is not ours.
 * - `unconfirmed`: a bank does not confirm the large transfer that a notification in its name reported.
 * - `transfer_amount`: a transfer was recorded with another amount than its bank reports now.
 * - `transfer_unreadable`: an entry of a bank's list of transfers can't be read.
 */
const REPORTED_KINDS = [
  'excess',
  'refund_amount',
  'contradiction',
  'payout_amount',
  'unknown_reference',
  'unconfirmed',
  'transfer_amount',
  'transfer_unreadable',
] as const;

export const DIFFERENCE_KINDS = [...COMPARED_KINDS, ...REPORTED_KINDS] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];
export type ReportedKind = (typeof REPORTED_KINDS)[number];
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference<Kind extends DifferenceKind = DifferenceKind> {
  readonly kind: Kind;
  /** Our reference, or the provider's own id where there is none. */
  readonly subject: string;
  readonly merchantId: string | null;
  readonly payoutId: string | null;
  /** The deposit that it is about; null: none. */
  readonly transactionId: number | null;
  /** The state on each side, in words. */
  readonly ours: string;
  readonly theirs: string;
}

/** The keys of a difference that is about no merchant, payout or deposit of ours. */
export const OF_NOTHING_OF_OURS = { merchantId: null, payoutId: null, transactionId: null } as const;

/** Kept once for each rail, kind and subject, however often it is reported and whoever has resolved it. */
export interface ReportedDifference extends Difference<ReportedKind> {
  readonly rail: string;
  readonly foundAt: Instant;
}

/** Kinds whose subject the sender of a notification chooses: one that forges notifications could report any number of them. */
export const KINDS_OF_ANY_SUBJECT: readonly ReportedKind[] = ['unknown_reference', 'unconfirmed'];

/** At most so many of each such kind are open for a rail. A further one is logged and counted as any notification is. */
export const MOST_OPEN_OF_ANY_SUBJECT = 200;

/** A difference as it is kept. */
export interface KeptDifference extends Difference {
  readonly rail: string;
  /** The day that was compared, as the provider counts it, or the day of the report in UTC: `YYYY-MM-DD`. */
  readonly day: string;
  readonly foundAt: Instant;
  readonly resolved: { readonly at: Instant; readonly by: string; readonly resolution: string } | null;
}

export interface DifferenceKey {
  readonly rail: string;
  readonly day: string;
  readonly kind: DifferenceKind;
  readonly subject: string;
}
