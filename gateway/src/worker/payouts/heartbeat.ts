/**
 * Records this worker's reports about its rails, and remembers the last one. If the database no longer has it, somebody restored
 * the database while this worker lived. The worker then claims no payout until the operator declares the restore.
 */
import type { HealthWitness, RailHealth, RailHealthStore } from '../../domain/routing/rail-health.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';

export interface HeartbeatParts {
  readonly store: Pick<RailHealthStore, 'tell'>;
  /** The start of the latest declared recovery. Null: the database was never restored. */
  readonly restoredAt: () => Promise<Instant | null>;
  /** Identifies this worker among all that ever report. */
  readonly process: string;
  readonly clock: Clock;
  readonly onProblem: (problem: string) => void;
}

export interface Heartbeat {
  /** The last report that the database committed. Null: none so far, or a declared restore may have removed it. */
  witness(): HealthWitness | null;
  tell(health: readonly RailHealth[]): Promise<void>;
}

export function createHeartbeat({ store, restoredAt, process, clock, onProblem }: HeartbeatParts): Heartbeat {
  let toldAt: Instant | null = null;
  return {
    witness: () => (toldAt === null ? null : { process, toldAt }),
    async tell(health) {
      const declaredAt = await restoredAt();
      if (toldAt !== null && declaredAt !== null && declaredAt >= toldAt) toldAt = null;
      // The clock may step back, but the reports must not: each one proves all earlier ones.
      const at = Math.max(clock.now(), toldAt ?? 0);
      if (await store.tell(process, health, at, toldAt)) toldAt = at;
      else onProblem(LOST_COMMITS);
    },
  };
}

const LOST_COMMITS =
  'the database lost commits of this worker, which now sends no payout: if the database was restored, run "gateway after-restore begin"; if not, restart the gateway';
