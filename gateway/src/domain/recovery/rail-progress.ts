/** Computes the progress of each rail in a recovery, and its unmet criteria, for the operator. Pure. */
import type { Instant } from '../../foundation/clock.ts';
import type { RailCompletion, Recovery } from './recovery.ts';
import type { UnaskedPayouts } from './recovery-store.ts';

/** The facts about a rail that a recovery needs. */
export interface RecoveringRail {
  readonly name: string;
  /** True if its provider lists its payouts. */
  readonly hasList: boolean;
  /** How long the rail's bank may return "not found" about a payout that it received. */
  readonly notFoundProofMs: number;
  /** Set if a worker reported it and this process does not configure it. */
  readonly isUnconfigured?: true;
}

export interface RailProgress {
  readonly rail: string;
  readonly hasList: boolean;
  /** The number of payouts without proof from the bank: not queried, or without a usable response. */
  readonly unasked: number;
  /** When the gateway compared its lists. Null if it has not, or if the provider has no lists. */
  readonly comparedAt: Instant | null;
  /** The number of references that the provider has and that match no payout of ours. */
  readonly unaccounted: number;
  readonly completed: RailCompletion | null;
  /** The unmet criteria, one sentence each. If empty, the operator can complete the rail. */
  readonly missing: readonly string[];
  /** A note that the operator must read before the completion. May be empty. */
  readonly caveat: string;
}

interface ProgressFacts {
  readonly recovery: Recovery;
  readonly unasked: readonly UnaskedPayouts[];
  readonly unaccounted: ReadonlyMap<string, number>;
}

const NO_LIST =
  'Its provider does not offer a list: the gateway finds payouts that only the provider has when a merchant repeats them.';

const NOT_CONFIGURED = 'this process does not configure it: repeat the command with all variables of the gateway';

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
    caveat: [
      ...(rail.hasList || rail.isUnconfigured ? [] : [NO_LIST]),
      ...heldCaveat(completed === null ? waiting?.held : 0),
    ].join(' '),
  };
}

function heldCaveat(count = 0): string[] {
  if (count === 0) return [];
  return [
    `The completion sends ${count} payouts that were queued before the restore and that no bank has received. First cancel those that became blocked during the recovery window: the log lists them as payout_final.`,
  ];
}

function missingOf(
  rail: RecoveringRail,
  waiting: UnaskedPayouts | undefined,
  comparedAt: Instant | null,
  recovery: Recovery,
): string[] {
  if (rail.isUnconfigured) return [NOT_CONFIGURED];
  const { count = 0, note = '' } = waiting ?? {};
  const why = note === '' ? '' : ` (${note})`;
  const wholeFrom = new Date(provedFrom(recovery, rail)).toISOString();
  return [
    ...(count > 0 ? [`${count} payouts wait for the bank’s response${why}`] : []),
    ...(rail.hasList && comparedAt === null
      ? [`its lists for the recovery window are not compared; they are complete from ${wholeFrom}`]
      : []),
  ];
}

/**
 * Before a recovery can end, the gateway must query all payouts from before this instant. Later payouts do not
 * delay it, because steady traffic always brings new payouts.
 */
export function countedBefore({ startedAt }: Recovery, rails: readonly RecoveringRail[]): Instant {
  return startedAt + Math.max(0, ...rails.map(({ notFoundProofMs }) => notFoundProofMs));
}

/** Returns the time from which a list or a "not found" proves something about the recovery window. */
export function provedFrom({ startedAt }: Recovery, { notFoundProofMs }: RecoveringRail): Instant {
  return startedAt + notFoundProofMs;
}
