/**
 * Records this worker's reports about its rails, and remembers the last one of each rail. If the database no longer has one,
 * the database was restored while this worker was running. The worker then does not claim a payout until the operator declares the
 * restore. After a failover, a worker that finds its last reports confirms the new lineage of the database for all processes.
 */

import type { RailHealth } from '../../domain/rails/rail-health.ts';
import type { HealthWitness, RailHealthStore } from '../../domain/rails/rail-health-store.ts';
import type { Lineage, LineageStore } from '../../domain/recovery/lineage-store.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';

interface HeartbeatParts {
  readonly store: Pick<RailHealthStore, 'report' | 'mark'>;
  readonly lineages: LineageStore;
  /** The start of the latest declared recovery. Null if the database was never restored. */
  readonly restoredAt: () => Promise<Instant | null>;
  /** Identifies this worker among all that ever report. */
  readonly process: string;
  readonly clock: Clock;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export interface Heartbeat {
  /** Returns the last reports that the database committed. A declared restore may have removed them. */
  witness(): HealthWitness;
  /** Reports attempts that were begun at the rail, before they are sent. Never rejects. */
  mark(rail: string): Promise<void>;
  report(health: readonly RailHealth[]): Promise<void>;
}

export function createHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { store, lineages, restoredAt, process, clock, onProblem } = parts;
  const reported = new Map<string, Instant>();
  let latest = Number.NEGATIVE_INFINITY;
  /** The reports were made on a known lineage. Only then do they prove something about a later restore. */
  let isProven = false;
  const witness = () => ({ process, reported: Array.from(reported, ([rail, at]) => ({ rail, at })) });
  const keep = (rail: string, at: Instant) => void reported.set(rail, Math.max(at, reported.get(rail) ?? at));

  /** The clock may step back, but the reports must not: each report proves all earlier reports about its rail. */
  function nextInstant(): Instant {
    latest = Math.max(clock.now(), latest + 1);
    return latest;
  }

  function forget(declaredAt: Instant): void {
    for (const [rail, at] of reported) if (at <= declaredAt) reported.delete(rail);
    if (reported.size === 0) isProven = false;
  }

  async function confirm({ current, isKnown, isFirst }: Lineage): Promise<void> {
    if (current === null || (isKnown && !isFirst)) return;
    const reason = isFirst ? 'it is the first worker' : 'it found its last reports';
    await lineages.confirm({ lineage: current, at: latest, by: `worker ${process}`, reason });
  }

  return {
    witness,
    async mark(rail) {
      const at = nextInstant();
      await store.mark(process, rail, at).then(
        () => keep(rail, at),
        (error) => onProblem(`rail ${rail}: the start of its attempts could not be reported`, error),
      );
    },
    async report(health) {
      const declaredAt = await restoredAt();
      if (declaredAt !== null) forget(declaredAt);
      const lineage = await lineages.read();
      // A report would look as if it came from before the backup. Only a worker that reported before the lineage changed
      // can prove that no commit is lost.
      if (!lineage.isKnown && !isProven) return onProblem(`${UNKNOWN_LINEAGE} (${lineage.current})`);
      const at = nextInstant();
      if (!(await store.report(witness(), health, at))) return onProblem(LOST_COMMITS);
      for (const { rail } of health) keep(rail, at);
      await confirm(lineage);
      isProven = reported.size > 0;
    },
  };
}

const LOST_COMMITS =
  'the database lost commits of this worker, which no longer sends payouts: if the database was restored, run "gateway after-restore begin"; if not, restart the gateway';
const UNKNOWN_LINEAGE =
  'the database runs on another server or timeline, and no earlier worker confirms it; no payout is sent: if it was restored, run "gateway after-restore begin"; if it lost no data, run "gateway after-restore not-needed"';
