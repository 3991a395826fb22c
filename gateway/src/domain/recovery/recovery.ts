/**
 * A recovery after a restore from backup. From `knownUntil` to `startedAt` it may have forgotten payouts that
 * banks executed, so until the recovery is completed it asks each bank before it sends, and calls no id "not found"
 * (decision record 55).
 */
import type { Instant } from '../../foundation/clock.ts';

export interface Recovery {
  /** When the operator said that the database was restored: everything that was forgotten happened before. */
  readonly startedAt: Instant;
  readonly knownUntil: Instant;
  readonly startedBy: string;
  readonly reason: string;
  readonly completed: { readonly at: Instant; readonly by: string } | null;
  /** A rail that is not among them is not completed. */
  readonly rails: readonly RecoveryRail[];
}

/** The period in which forgotten requests were written to banks. */
export type TimeInDoubt = Pick<Recovery, 'knownUntil' | 'startedAt'>;

export interface RecoveryRail {
  readonly rail: string;
  /** When its provider's lists of all days in doubt were compared with the ledger; null: they were not. */
  readonly comparedAt: Instant | null;
  readonly completed: RailCompletion | null;
}

export interface RailCompletion {
  readonly at: Instant;
  readonly by: string;
  /** Why it was completed although its criteria were not met; null: they were met. */
  readonly forcedBecause: string | null;
  /** Until then payouts are asked for before their first send all the same; null: no longer. */
  readonly asksUntil: Instant | null;
}

export function isRecovering(recovery: Recovery | undefined): recovery is Recovery {
  return recovery !== undefined && recovery.completed === null;
}

/**
 * When a rail's bank has to be asked before a first send: the instant up to which a forgotten request may have been written
 * to it. Undefined: nobody has to be asked.
 */
export function asksFirstSince(recovery: Recovery | undefined, rail: string, now: Instant): Instant | undefined {
  if (!recovery) return undefined;
  const completed = recovery.rails.find((each) => each.rail === rail)?.completed ?? null;
  if (completed === null) return recovery.completed === null ? recovery.startedAt : undefined;
  return completed.asksUntil !== null && now < completed.asksUntil ? recovery.startedAt : undefined;
}

/** A rail by the methods that it carries. */
export interface CarryingRail {
  readonly name: string;
  readonly methods: ReadonlySet<number>;
}

/**
 * The time in doubt that banks have to be asked about before a first send by rail `name`; undefined: none. A payout of one
 * rail may have been another's in that time, where both carry its method.
 */
export function timeInDoubtFor(
  recovery: Recovery | undefined,
  rails: readonly CarryingRail[],
  name: string,
  now: Instant,
): TimeInDoubt | undefined {
  const own = rails.find((rail) => rail.name === name);
  const related = rails.filter(({ methods }) => [...methods].some((method) => own?.methods.has(method)));
  return related.some((rail) => asksFirstSince(recovery, rail.name, now) !== undefined) ? recovery : undefined;
}

/** True while any rail may still be asked about the forgotten time, also after the recovery was completed. */
export function stillAsks(recovery: Recovery, now: Instant): boolean {
  if (recovery.completed === null) return true;
  return recovery.rails.some(({ rail }) => asksFirstSince(recovery, rail, now) !== undefined);
}

/** True where every bank that may have a payout has to be asked about it, since the last time was before `since`. */
export function isToBeAskedFirst(since: Instant, askedAt: Instant | null): boolean {
  return askedAt === null || askedAt < since;
}

/** True for a period of which the gateway may have forgotten something and has not found out. */
export function isInDoubt(recovery: Recovery | undefined, from: Instant, to: Instant): boolean {
  return isRecovering(recovery) && from < recovery.startedAt && to > recovery.knownUntil;
}
