/**
 * Compares the lists of one rail over the recovery window, plus a margin, with our books. Entries that match pending payouts
 * settle them. Unmatched entries become differences for the operator, and the directory stores their references
 * (reconcile-payouts.ts).
 */
import { type Clock, DAY_MS, HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutLister } from '../payouts/payout-lister.ts';
import { provedFrom, type RecoveringRail } from '../recovery/rail-progress.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { RecoveryStore } from '../recovery/recovery-store.ts';

interface CompareBooksParts {
  readonly store: Pick<RecoveryStore, 'recordComparison'>;
  readonly clock: Clock;
  readonly clockIsRight: () => Promise<boolean>;
}

/** What a comparison of one day needs to know about a rail. */
interface RailBook extends Pick<PayoutLister, 'dayOf'> {
  readonly compare: (day: string, signal: AbortSignal) => Promise<unknown>;
}

/** Allows for a provider's clock error, and for a list that uses the day of receipt. */
const MARGIN_MS = 1 * HOUR_MS;

/**
 * Returns false if it is too early to trust the list, which may be late, or if this machine's clock cannot tell. Rejects if
 * the provider does not return a complete list.
 */
export async function compareBook(
  { store, clock, clockIsRight }: CompareBooksParts,
  recovery: Recovery,
  rail: RecoveringRail,
  { dayOf, compare }: RailBook,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await clockIsRight())) return false;
  const from = clock.now();
  if (from < provedFrom(recovery, rail)) return false;
  for (const day of daysOf(dayOf, recovery.knownUntil - MARGIN_MS, recovery.startedAt)) await compare(day, signal);
  await store.recordComparison(recovery.startedAt, rail.name, from);
  return true;
}

function daysOf(dayOf: PayoutLister['dayOf'], from: Instant, to: Instant): ReadonlySet<string> {
  const days = new Set<string>();
  for (let at = from; at < to; at += DAY_MS) days.add(dayOf(at));
  return days.add(dayOf(to));
}
