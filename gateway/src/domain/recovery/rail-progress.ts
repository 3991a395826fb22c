/** The progress of each rail in a recovery, and the criteria that it does not meet yet. Pure; printed for the operator. */
import type { Instant } from '../../foundation/clock.ts';
import type { RailCompletion, Recovery } from './recovery.ts';
import type { UnaskedPayouts } from './recovery-store.ts';

/** A rail as a recovery needs it. */
export interface RecoveringRail {
  readonly name: string;
  /** True where its provider lists what it paid out. */
  readonly hasList: boolean;
  /** How long its bank may not find what it has. */
  readonly notFoundProofMs: number;
}

export interface RailProgress {
  readonly rail: string;
  readonly hasList: boolean;
  /** Payouts that its bank was not asked about, or gave no proof of. */
  readonly unasked: number;
  /** When its lists were compared; null: not yet, or it has none. */
  readonly comparedAt: Instant | null;
  /** References that its provider has and no payout of ours. */
  readonly unaccounted: number;
  readonly completed: RailCompletion | null;
  /** Criteria that are not met, a sentence each. Empty: it can be completed. */
  readonly missing: readonly string[];
  /** A limit of every proof about this rail, for the operator; empty: none. */
  readonly caveat: string;
}

export interface ProgressFacts {
  readonly recovery: Recovery;
  readonly unasked: readonly UnaskedPayouts[];
  readonly unaccounted: ReadonlyMap<string, number>;
}

const NO_LIST =
  'Its provider gives no list: payouts that only the provider knows stay unseen until a merchant repeats them.';

export function progressOf(rail: RecoveringRail, { recovery, unasked, unaccounted }: ProgressFacts): RailProgress {
  const waiting = unasked.find((each) => each.rail === rail.name);
  const state = recovery.rails.find((each) => each.rail === rail.name);
  const comparedAt = state?.comparedAt ?? null;
  const completed = state?.completed ?? null;
  const count = waiting?.count ?? 0;
  return {
    rail: rail.name,
    hasList: rail.hasList,
    unasked: count,
    comparedAt,
    unaccounted: unaccounted.get(rail.name) ?? 0,
    completed,
    missing: completed === null ? missingOf(rail, waiting, comparedAt, recovery) : [],
    caveat: rail.hasList ? '' : NO_LIST,
  };
}

function missingOf(
  rail: RecoveringRail,
  waiting: UnaskedPayouts | undefined,
  comparedAt: Instant | null,
  recovery: Recovery,
): string[] {
  const { count = 0, note = '' } = waiting ?? {};
  const why = note === '' ? '' : ` (${note})`;
  const wholeFrom = new Date(provedFrom(recovery, rail)).toISOString();
  return [
    ...(count > 0 ? [`${count} payouts wait for the bank's word${why}`] : []),
    ...(rail.hasList && comparedAt === null
      ? [`its lists of the time in doubt are not compared; they count from ${wholeFrom} on`]
      : []),
  ];
}

/**
 * Payouts that came before this have to be asked about for the recovery to end. Later ones are asked about at once, and with
 * steady traffic there are always some.
 */
export function countedBefore({ startedAt }: Recovery, rails: readonly RecoveringRail[]): Instant {
  return startedAt + Math.max(0, ...rails.map(({ notFoundProofMs }) => notFoundProofMs));
}

/** From here on a list, and a bank that finds nothing, can be believed about the forgotten time. */
export function provedFrom({ startedAt }: Recovery, { notFoundProofMs }: RecoveringRail): Instant {
  return startedAt + notFoundProofMs;
}
