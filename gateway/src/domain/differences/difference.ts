/**
 * A difference: a provider and the ledger disagree, and a user must find out why. It is stored, so that a missed alert loses
 * nothing. It is closed when a user resolves it, or when the gateway finds that it no longer exists. It must not move money.
 */
import type { Instant } from '../../foundation/clock.ts';

/** Found by comparing a day of payouts with the provider. A later comparison that does not find it resolves it. */
export const COMPARED_KINDS = ['missing_here', 'missing_there', 'amount', 'state', 'duplicate', 'unreadable'] as const;

/**
 * Found in a single report.
 * - `excess`: a provider takes back more of a payment than is left of it, or reverses an adjustment that it never reported.
 * - `refund_amount`: a provider made a refund of an amount other than the ordered one.
 * - `reversal_amount`: a provider reports a recorded refund, chargeback, debit or reversal again, with a different amount.
 * - `contradiction`: a bank contradicts a final state of a payout or a payment. No money moved on it.
 * - `payout_amount`: a notification states an amount or a currency other than the payout's.
 * - `unknown_reference`: a notification refers to a payout or payment that is not ours.
 * - `unconfirmed`: a bank does not confirm a notification in its name: of a large transfer, or of a change after the end of a
 *   payout or payment.
 * - `transfer_amount`: the bank now reports an amount other than the recorded one for a transfer or a payment.
 * - `transfer_unreadable`: an entry of a bank's list of transfers cannot be parsed.
 */
const REPORTED_KINDS = [
  'excess',
  'refund_amount',
  'reversal_amount',
  'contradiction',
  'payout_amount',
  'unknown_reference',
  'unconfirmed',
  'transfer_amount',
  'transfer_unreadable',
] as const;

export const DIFFERENCE_KINDS = [...COMPARED_KINDS, ...REPORTED_KINDS] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];
type ReportedKind = (typeof REPORTED_KINDS)[number];
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference<Kind extends DifferenceKind = DifferenceKind> {
  readonly kind: Kind;
  /** Our reference, or the provider's own id if there is none. */
  readonly subject: string;
  readonly merchantId: string | null;
  readonly payoutId: string | null;
  /** The deposit in question. Null if no deposit is concerned. */
  readonly transactionId: number | null;
  /** The state on the gateway's side. */
  readonly ours: string;
  readonly theirs: string;
}

/** The payout or deposit of a difference. */
export type DifferenceObject = Pick<Difference, 'merchantId' | 'payoutId' | 'transactionId'>;

/** The keys of a difference that concerns no merchant, payout or deposit of the gateway. */
export const OF_NOTHING_OF_OURS = { merchantId: null, payoutId: null, transactionId: null } as const;

/**
 * The gateway records it once per rail, kind and subject, even if the report repeats or a user has resolved it. Only an
 * unconfirmed notification about a final payout or payment is recorded again after its resolution.
 */
export interface ReportedDifference extends Difference<ReportedKind> {
  readonly rail: string;
  readonly foundAt: Instant;
}

/** Kinds whose subject comes from the notification's sender, so a forger could create any number of them. */
export const KINDS_OF_ANY_SUBJECT: readonly ReportedKind[] = ['unknown_reference', 'unconfirmed'];

/** The limit of open differences per rail and such kind. The gateway logs and counts further ones like any notification. */
export const MOST_OPEN_OF_ANY_SUBJECT = 200;

/** A difference as the database stores it. */
export interface KeptDifference extends Difference {
  readonly rail: string;
  /** The compared day in the provider's calendar, or the UTC day of the report: `YYYY-MM-DD`. */
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
