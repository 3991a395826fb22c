/** Compares the recent days of one rail. A day that fails does not stop the others. */
import { type Clock, DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutLister } from '../payouts/payout-lister.ts';
import type { ReconciledDay } from './reconcile-payouts.ts';

interface ReconcileDaysParts {
  readonly dayOf: PayoutLister['dayOf'];
  /** Rejects if the day cannot be compared. */
  readonly compare: (day: string, signal: AbortSignal) => Promise<ReconciledDay>;
  readonly onCompared: (compared: ReconciledDay) => void;
  /** The interval between comparisons of one day. Until then, runs skip the days that succeeded. */
  readonly everyMs: number;
  /** The days that succeeded, and when. Each run reads and updates it. */
  readonly comparedAt: Map<string, Instant>;
  readonly clock: Clock;
  /** Returns the days from `from` to `until` for which a comparison was recorded. */
  readonly listCompared: (from: string, until: string) => Promise<readonly string[]>;
  /** The provider has no records from before this time, so only later days can be compared. If null, it has all records. */
  readonly booksSince: Instant | null;
}

/** Complete days, latest first: a provider may still add entries to a past day. */
const DAYS_BACK = 3;
/** How long a missed day is still compared, after no worker ran or each list failed. */
const GAP_DAYS_BACK = 31;

interface Failure {
  readonly day: string;
  readonly error: unknown;
}

/** Rejects with all failures after the other days were compared. A signal ends the run immediately. */
export async function reconcileDays(parts: ReconcileDaysParts, signal: AbortSignal): Promise<void> {
  const { clock, everyMs, booksSince, comparedAt, dayOf } = parts;
  const now = clock.now();
  for (const [day, at] of comparedAt) if (now - at >= everyMs) comparedAt.delete(day);
  const isKnown = (day: string) => booksSince === null || day > dayOf(booksSince);
  const days = [...daysBefore(parts, now, 1, DAYS_BACK), ...(await gapsBefore(parts, now))];
  const failures: Failure[] = [];
  for (const day of days.filter((each) => !comparedAt.has(each) && isKnown(each))) {
    const failure = await compareOne(parts, day, signal);
    // A rejection after a stop says nothing about the day.
    if (signal.aborted) break;
    if (failure) failures.push(failure);
    else comparedAt.set(day, clock.now());
  }
  if (failures.length > 0) throw problemOf(failures);
}

/** Returns the complete days before this one, the latest first. */
function daysBefore({ dayOf }: Pick<ReconcileDaysParts, 'dayOf'>, now: Instant, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, back) => dayOf(now - (first + back) * DAY_MS));
}

/** Returns the earlier days without a comparison. Before the first comparison of the rail there is no gap. */
async function gapsBefore(parts: ReconcileDaysParts, now: Instant): Promise<string[]> {
  const days = daysBefore(parts, now, DAYS_BACK + 1, GAP_DAYS_BACK);
  const [until = '', from = ''] = [days[0], days.at(-1)];
  const compared = await parts.listCompared(from, until);
  return days.filter((day) => !compared.includes(day) && compared.some((each) => each < day));
}

async function compareOne(
  { compare, onCompared }: ReconcileDaysParts,
  day: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    onCompared(await compare(day, signal));
    return undefined;
  } catch (error) {
    return { day, error };
  }
}

function problemOf(failures: readonly Failure[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first?.error;
  const said = failures.map(({ day, error }) => `${day}: ${error instanceof Error ? error.message : error}`);
  return new Error(said.join('; '), { cause: first?.error });
}
