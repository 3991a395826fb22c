/** The days over which one rail is compared at a time. One that can't be compared keeps none of the others from it. */
import { type Clock, DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutLister } from '../payouts/payout-lister.ts';
import type { ReconciledDay } from './reconcile-payouts.ts';

export interface ReconcileDaysParts {
  readonly dayOf: PayoutLister['dayOf'];
  /** Rejects when the day can't be compared. */
  readonly compare: (day: string, signal: AbortSignal) => Promise<ReconciledDay>;
  readonly onCompared: (compared: ReconciledDay) => void;
  /** How often each day is compared. What is run again before that leaves out the days that were. */
  readonly everyMs: number;
  readonly clock: Clock;
}

/** Full days, the latest first: a provider may still add to a day that is over. */
const DAYS_BACK = 3;

interface Failure {
  readonly day: string;
  readonly error: unknown;
}

/** Rejects with what kept days from being compared, once the others have been. A signal ends it at once. */
export function createReconcileDays(parts: ReconcileDaysParts): (signal: AbortSignal) => Promise<void> {
  const { dayOf, clock, everyMs } = parts;
  let comparedAt: ReadonlyMap<string, Instant> = new Map();
  return async (signal) => {
    const now = clock.now();
    const days = Array.from({ length: DAYS_BACK }, (_, back) => dayOf(now - (back + 1) * DAY_MS));
    const recent = new Map([...comparedAt].filter(([, at]) => now - at < everyMs));
    comparedAt = recent;
    const failures: Failure[] = [];
    for (const day of days.filter((each) => !recent.has(each))) {
      const failure = await compareOne(parts, day, signal);
      // What is rejected after a stop says nothing of the day.
      if (signal.aborted) break;
      if (failure) failures.push(failure);
      else recent.set(day, clock.now());
    }
    if (failures.length > 0) throw problemOf(failures);
  };
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
