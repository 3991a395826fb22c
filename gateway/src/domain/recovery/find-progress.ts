/** Reads how far the latest recovery is at each rail. Returns an empty list if the database was never restored. */
import { countedBefore, progressOf, type RailProgress, type RecoveringRail } from './rail-progress.ts';
import type { RecoveryStore } from './recovery-store.ts';

interface FindProgressParts {
  readonly store: Pick<RecoveryStore, 'latest' | 'unasked' | 'countUnaccounted' | 'reportedRails'>;
  /** The rails that this process configures. */
  readonly rails: readonly RecoveringRail[];
}

export async function findProgress({ store, rails: configured }: FindProgressParts): Promise<readonly RailProgress[]> {
  const recovery = await store.latest();
  if (!recovery) return [];
  const rails = [...configured, ...(await unconfigured(store, configured))];
  const facts = {
    recovery,
    unasked: await store.unasked(recovery.startedAt, countedBefore(recovery, rails)),
    unaccounted: await store.countUnaccounted(),
  };
  return rails.map((rail) => progressOf(rail, facts));
}

/** A completion in a process without a rail's variables must not skip that rail. */
async function unconfigured(
  store: FindProgressParts['store'],
  configured: readonly RecoveringRail[],
): Promise<readonly RecoveringRail[]> {
  const unknown = (await store.reportedRails()).filter((rail) => !configured.some(({ name }) => name === rail));
  return unknown.map((name) => ({ name, hasList: false, notFoundProofMs: 0, isUnconfigured: true }) as const);
}
