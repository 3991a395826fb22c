/** The recovery after a restore: the operator's commands, and the periodic tasks of a serving gateway. */

import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import { payoutOrderOf } from '../../domain/payouts/payout-order.ts';
import { mayHave } from '../../domain/payouts/payout-rail.ts';
import { compareBook } from '../../domain/reconciliation/compare-days-in-doubt.ts';
import { resolveUnmatched } from '../../domain/reconciliation/resolve-unmatched.ts';
import { beginRecovery } from '../../domain/recovery/begin-recovery.ts';
import { completeRecovery } from '../../domain/recovery/complete-recovery.ts';
import { confirmLineage } from '../../domain/recovery/confirm-lineage.ts';
import {
  countedBefore,
  progressOf,
  type RailProgress,
  type RecoveringRail,
} from '../../domain/recovery/rail-progress.ts';
import { isRecovering, type Recovery } from '../../domain/recovery/recovery.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import { releaseAfterRestore } from '../../domain/recovery/release-after-restore.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { withDeadline } from '../../foundation/deadline.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { withParts } from '../../foundation/with-parts.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import { guardClock } from './create-clock-guard.ts';
import type { Publishing } from './create-publishing.ts';
import { comparisonsOf } from './create-reconciliation.ts';
import type { GatewayCore } from './open-core.ts';

export function recoveryOperations(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
): GatewayOperations['recovery'] {
  const { recoveries: store, lineages, clock } = core;
  const clockIsRight = guardClock(core, hooks);
  const progress = async () => {
    const recovery = await store.latest();
    return recovery ? progressOfAll(core, recovery) : [];
  };
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
      holderOf: (payout) => findHolder(core, payout),
    }),
  };
}

async function findHolder(
  { payoutRecords, recoveries, sendingRails, referenceOf, clock }: GatewayCore,
  key: PayoutKey,
): Promise<string | undefined> {
  const found = await payoutRecords.record(key);
  if (!found) return undefined;
  const { payout, attempts } = found;
  const knownUntil = (await recoveries.latest())?.knownUntil ?? payout.acceptedAt;
  const period = { sendUntil: clock.now(), writtenFrom: Math.min(knownUntil, payout.acceptedAt) };
  const asked = sendingRails
    .filter((rail) => mayHave(rail, payout))
    .map(async (rail) => {
      const attempt = attempts.findLast((each) => each.rail === rail.name);
      const order = payoutOrderOf(payout, {
        reference: attempt?.reference ?? referenceOf({ ...key, rail: rail.name }),
        ...period,
      });
      const { kind } = await withDeadline(clock, rail.timeoutMs, (deadline) => rail.ask(order, deadline));
      return kind === 'executed' || kind === 'pending' ? rail.name : undefined;
    });
  return (await Promise.all(asked)).find((rail) => rail !== undefined);
}

async function progressOfAll(core: GatewayCore, recovery: Recovery): Promise<readonly RailProgress[]> {
  const { recoveries: store } = core;
  const rails = await allRails(core);
  const facts = {
    recovery,
    unasked: await store.unasked(recovery.startedAt, countedBefore(recovery, rails)),
    unaccounted: await store.countUnaccounted(),
  };
  return rails.map((rail) => progressOf(rail, facts));
}

/** A completion in a process without the variables of a rail must not pass that rail by. */
async function allRails(core: GatewayCore): Promise<readonly RecoveringRail[]> {
  const configured = recoveringRails(core);
  const elsewhere = (await core.recoveries.reportedRails()).filter(
    (rail) => !configured.some(({ name }) => name === rail),
  );
  return [
    ...configured,
    ...elsewhere.map((name) => ({ name, hasList: false, notFoundProofMs: 0, isElsewhere: true }) as const),
  ];
}

function recoveringRails({ sendingRails, rails }: GatewayCore): readonly RecoveringRail[] {
  return sendingRails.map(({ name, notFoundProofMs }) => ({
    name,
    hasList: rails.payoutListers.some(({ rail }) => rail === name),
    notFoundProofMs,
  }));
}

/** Compares the lists that were not yet compared. After it has tried all of them, it rejects with the first provider's failure. */
async function compareBooks(
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

/**
 * In a gateway that was never restored, queries the directory only if a recent count found entries in it. After a restore,
 * queries it each time: a recovery can complete right after the lists were compared, and merchants repeat payouts then.
 */
export function createUnaccounted({ recoveries, recovery, unaccounted }: GatewayCore) {
  return async (references: () => readonly RailReference[]): Promise<readonly RailReference[]> => {
    const isAsked = (await recovery()) !== undefined || (await unaccounted()).size > 0;
    return isAsked ? recoveries.unaccounted(references()) : [];
  };
}

export function recoveryTasks(core: GatewayCore, hooks: Hooks, publishing: Publishing): PeriodicTask[] {
  return [
    {
      name: 'compare the banks’ lists of the time in doubt',
      everyMs: MINUTE_MS,
      run: (signal) => compareBooks(core, hooks, publishing, signal),
    },
    {
      name: 'resolve differences that a repeated payout explains',
      everyMs: 10 * MINUTE_MS,
      run: () => resolveUnmatched(core),
    },
    {
      name: 'report that the gateway is recovering',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        const recovery = await core.recoveries.latest();
        if (isRecovering(recovery)) hooks.onRecovering(recovery);
      },
    },
  ];
}
