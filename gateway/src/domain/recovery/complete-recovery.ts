/**
 * Completes a recovery rail by rail: if the criteria are met, or against them with the operator's reason. Once every rail is
 * completed, the gateway returns "not found" for unknown ids again.
 */

import type { Clock } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import type { RailProgress } from './rail-progress.ts';
import { ASKS_AFTERWARDS_MS, isRecovering, type RailCompletion } from './recovery.ts';
import type { RecoveryStore } from './recovery-store.ts';

interface CompletionOrder {
  /** If null, the command completes every rail that is not completed. */
  readonly rail: string | null;
  readonly by: string;
  /** The reason to complete the rail although its criteria are not met. If null, the command completes it only if they are. */
  readonly forcedBecause: string | null;
}

export type CompletionFailure =
  | WordsRejection
  | { readonly kind: 'not_recovering' }
  | { readonly kind: 'clock_is_off' }
  | { readonly kind: 'no_such_rail'; readonly rails: readonly string[] }
  | { readonly kind: 'criteria_not_met'; readonly progress: readonly RailProgress[] };

interface CompletedRails {
  readonly rails: readonly string[];
  /** True if the recovery is over. */
  readonly isOver: boolean;
}

interface CompleteRecoveryParts {
  readonly store: Pick<RecoveryStore, 'latest' | 'completeRail' | 'complete'>;
  readonly progress: () => Promise<readonly RailProgress[]>;
  readonly clock: Clock;
  /** Resolves to false if the clocks of this machine and the database differ too much. The queries could then end too early. */
  readonly clockIsRight: () => Promise<boolean>;
}

export async function completeRecovery(
  { store, progress, clock, clockIsRight }: CompleteRecoveryParts,
  { rail, by, forcedBecause }: CompletionOrder,
): Promise<Result<CompletedRails, CompletionFailure>> {
  const fault = wordsFault({ by, ...(forcedBecause === null ? {} : { reason: forcedBecause }) });
  if (fault) return fail(fault);
  const recovery = await store.latest();
  if (!isRecovering(recovery)) return fail({ kind: 'not_recovering' });
  if (!(await clockIsRight())) return fail({ kind: 'clock_is_off' });
  const all = await progress();
  if (rail !== null && !all.some((each) => each.rail === rail))
    return fail({ kind: 'no_such_rail', rails: all.map((each) => each.rail) });
  const open = all.filter(({ completed }) => completed === null);
  const wanted = open.filter((each) => rail === null || each.rail === rail);
  const unmet = wanted.filter(({ missing }) => missing.length > 0);
  if (unmet.length > 0 && forcedBecause === null) return fail({ kind: 'criteria_not_met', progress: unmet });
  const at = clock.now();
  for (const progress of wanted)
    await store.completeRail(recovery.startedAt, progress.rail, completionOf(progress, by, at, forcedBecause));
  const isOver = open.length === wanted.length;
  if (isOver) await store.complete(recovery.startedAt, by, at);
  return ok({ rails: wanted.map((each) => each.rail), isOver });
}

/**
 * Without a compared list, the gateway keeps querying the bank before first attempts for ASKS_AFTERWARDS_MS, even after a forced
 * completion. A compared list ends this, because the comparison stores the provider's references in the directory.
 */
function completionOf(
  { missing, comparedAt }: RailProgress,
  by: string,
  at: number,
  forced: string | null,
): RailCompletion {
  const forcedBecause = missing.length > 0 ? forced : null;
  const asksUntil = comparedAt !== null ? null : at + ASKS_AFTERWARDS_MS;
  return { at, by, forcedBecause, asksUntil };
}
