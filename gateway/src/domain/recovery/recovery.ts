/**
 * A recovery after a restore from backup. The database may lack payouts that banks executed from `knownUntil` to `startedAt`.
 * Until the recovery is completed, the gateway queries each bank before it sends, and never returns "not found" (decision 55).
 */
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { OwnPurpose } from '../methods/payout-purpose.ts';

export interface Recovery {
  /** When the operator reported the restore. All lost writes happened earlier. */
  readonly startedAt: Instant;
  readonly knownUntil: Instant;
  readonly startedBy: string;
  readonly reason: string;
  readonly completed: { readonly at: Instant; readonly by: string } | null;
  /** A rail that is absent here is not completed. */
  readonly rails: readonly RecoveryRail[];
}

/** The period in which lost requests were written to banks. */
export type TimeInDoubt = Pick<Recovery, 'knownUntil' | 'startedAt'>;

export interface RecoveryRail {
  readonly rail: string;
  /** When the gateway compared the provider's lists of all days in doubt with the ledger. Null until then. */
  readonly comparedAt: Instant | null;
  readonly completed: RailCompletion | null;
}

export interface RailCompletion {
  readonly at: Instant;
  readonly by: string;
  /** Why the operator completed it with unmet criteria. Null if the criteria were met. */
  readonly forcedBecause: string | null;
  /** The gateway queries payouts before their first attempt until this time. Null if it no longer queries. */
  readonly asksUntil: Instant | null;
}

/**
 * The recovery on a database of unknown lineage, which may be a restored one: all time is in doubt until the operator
 * declares it. No worker knows such a start, so none claims a payout.
 */
export const UNDECLARED: Recovery = {
  startedAt: Number.POSITIVE_INFINITY,
  knownUntil: 0,
  startedBy: '',
  reason: 'the lineage of the database is unknown',
  completed: null,
  rails: [],
};

/**
 * Merchants repeat a lost payout within days. If no list was compared, the gateway queries each payout before its
 * first attempt for this long.
 */
export const ASKS_AFTERWARDS_MS = 30 * DAY_MS;

export function isRecovering(recovery: Recovery | undefined): recovery is Recovery {
  return recovery !== undefined && recovery.completed === null;
}

/**
 * Returns the latest time at which a lost request may have been written to a rail's bank. The gateway must query that bank
 * before a first attempt. Returns undefined if it need not query.
 */
export function asksFirstSince(recovery: Recovery | undefined, rail: string, now: Instant): Instant | undefined {
  if (!recovery) return undefined;
  const completed = recovery.rails.find((each) => each.rail === rail)?.completed ?? null;
  if (completed !== null)
    return completed.asksUntil !== null && now < completed.asksUntil ? recovery.startedAt : undefined;
  // The process that completed the recovery had not configured this rail.
  const isOver = recovery.completed !== null && now >= recovery.completed.at + ASKS_AFTERWARDS_MS;
  return isOver ? undefined : recovery.startedAt;
}

/**
 * Until a rail is completed, it does not send a payout that was queued before this instant. The payout may have been blocked
 * in the lost time, for example by a cancellation, and no bank knows that. Returns undefined if the rail holds no payout.
 */
export function holdsQueuedBefore(recovery: Recovery | undefined, rail: string): Instant | undefined {
  if (!isRecovering(recovery)) return undefined;
  const isCompleted = recovery.rails.some((each) => each.rail === rail && each.completed !== null);
  return isCompleted ? undefined : recovery.startedAt;
}

/** True for a queued payout from before the restore that no bank has. */
export function isHeldUntilCompleted(
  heldBefore: Instant | undefined,
  {
    stage,
    stageSince,
    askedAt,
  }: { readonly stage: string; readonly stageSince: Instant; readonly askedAt: Instant | null },
): boolean {
  if (heldBefore === undefined || stage !== 'queued' || stageSince >= heldBefore) return false;
  return !isToBeAskedFirst(heldBefore, askedAt);
}

/** A rail with the methods and the gateway's own payouts that it carries. */
export interface CarryingRail {
  readonly name: string;
  readonly methods: ReadonlySet<number>;
  readonly ownPurposes?: ReadonlySet<OwnPurpose>;
}

/**
 * Returns the recovery window about which the gateway must query banks before a first attempt at rail `name`, if any. That
 * rail, or any rail with a common method, may have carried the payout then. The gateway's own payouts have one rail.
 */
export function timeInDoubtFor(
  recovery: Recovery | undefined,
  rails: readonly CarryingRail[],
  name: string,
  now: Instant,
): TimeInDoubt | undefined {
  const own = rails.find((rail) => rail.name === name);
  const isRelated = ({ methods }: CarryingRail) => [...methods].some((method) => own?.methods.has(method));
  const related = rails.filter((rail) => rail === own || isRelated(rail));
  return related.some((rail) => asksFirstSince(recovery, rail.name, now) !== undefined) ? recovery : undefined;
}

/** True while the gateway may still query any rail about the recovery window, even after the recovery is completed. */
export function stillAsks(recovery: Recovery, now: Instant): boolean {
  if (recovery.completed === null) return true;
  return recovery.rails.some(({ rail }) => asksFirstSince(recovery, rail, now) !== undefined);
}

/** True if no bank was queried about the payout at or after `since`, so the gateway must query first. */
export function isToBeAskedFirst(since: Instant, askedAt: Instant | null): boolean {
  return askedAt === null || askedAt < since;
}

/** True for a period in which the gateway may have lost writes that it has not recovered. */
export function isInDoubt(recovery: Recovery | undefined, from: Instant, to: Instant): boolean {
  return isRecovering(recovery) && from < recovery.startedAt && to > recovery.knownUntil;
}
