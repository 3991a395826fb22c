/** The recovery after a restore: the operator's commands. */

import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { compareBook } from '../../../domain/reconciliation/compare-days-in-doubt.ts';
import { findBankOfPayout } from '../../../domain/reconciliation/find-bank-of-payout.ts';
import { beginRecovery } from '../../../domain/recovery/begin-recovery.ts';
import { completeRecovery } from '../../../domain/recovery/complete-recovery.ts';
import { confirmLineage } from '../../../domain/recovery/confirm-lineage.ts';
import { findProgress } from '../../../domain/recovery/find-progress.ts';
import type { RecoveringRail } from '../../../domain/recovery/rail-progress.ts';
import { isRecovering } from '../../../domain/recovery/recovery.ts';
import { releaseAfterRestore } from '../../../domain/recovery/release-after-restore.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { guardClock } from '../create-clock-guard.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { comparisonsOf } from './reconciliation-operations.ts';

export function recoveryOperations(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
): GatewayOperations['recovery'] {
  const { recoveries: store, lineages, clock } = core;
  const clockIsRight = guardClock(core, hooks);
  const progress = () => findProgress({ store, rails: recoveringRails(core) });
  return {
    begin: withParts(beginRecovery, { store, lineages, clock, clockIsRight }),
    notNeeded: withParts(confirmLineage, { lineages, clock }),
    lineage: lineages.read,
    latest: store.latest,
    progress,
    compare: (signal) => compareBooks(core, hooks, publishing, signal),
    complete: withParts(completeRecovery, { store, progress, clock, clockIsRight }),
    release: withParts(releaseAfterRestore, {
      ...core,
      store,
      rails: core.sendingRails,
      holderOf: withParts(findBankOfPayout, { ...core, rails: core.sendingRails, onRailCall: hooks.onRailCall }),
    }),
  };
}

function recoveringRails({ sendingRails, rails }: GatewayCore): readonly RecoveringRail[] {
  return sendingRails.map(({ name, notFoundProofMs }) => ({
    name,
    hasList: rails.payoutListers.some(({ rail }) => rail === name),
    notFoundProofMs,
  }));
}

/** Compares the lists that were not compared yet. After trying all of them, it rejects with the first provider's failure. */
export async function compareBooks(
  core: GatewayCore,
  hooks: Hooks,
  { settle }: Publishing,
  signal: AbortSignal,
): Promise<void> {
  const { recoveries: store, clock } = core;
  const recovery = await store.latest();
  if (!isRecovering(recovery)) return;
  const books = comparisonsOf(core, hooks, settle);
  const parts = { store, clock, clockIsRight: guardClock(core, hooks) };
  const failures: unknown[] = [];
  for (const rail of recoveringRails(core)) {
    const book = books.find((each) => each.rail === rail.name && each.by === 'list');
    const isCompared = recovery.rails.some((each) => each.rail === rail.name && each.comparedAt !== null);
    if (!book || !rail.hasList || isCompared || signal.aborted) continue;
    await compareBook(parts, recovery, rail, book, signal).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
