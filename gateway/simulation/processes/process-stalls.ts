/** Stalls a process, as if its machine were suspended or overloaded. */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const IDLE_IN_TRANSACTION_MS = 5 * SECOND_MS;
/** Longer than a lease. Attempts that begin later may be of the payouts that the process has claimed. */
const OVERTAKEN_AFTER_MS = 5 * MINUTE_MS;

interface Overtaken {
  readonly life: Life;
  readonly since: Instant;
  readonly resume: () => void;
}

interface Stalls {
  /** Stalls the process until another process begins attempts, for at most `ms`. */
  suspendUntilOvertaken(process: SimulatedProcess, ms: number): void;
  /** That process has begun attempts. */
  endOvertaken(claiming: Life): void;
  /** All processes have ended. */
  forget(): void;
}

export function createStalls(world: World): Stalls {
  let waiting: Overtaken[] = [];
  return {
    suspendUntilOvertaken(process, ms) {
      waiting.push({ life: process.life, since: world.now(), resume: suspend(world, process, ms) });
    },
    endOvertaken(claiming) {
      const isOver = ({ life, since }: Overtaken) => life !== claiming && world.now() >= since + OVERTAKEN_AFTER_MS;
      for (const { resume } of waiting.filter(isOver)) resume();
      waiting = waiting.filter((one) => !isOver(one));
    },
    forget() {
      waiting = [];
    },
  };
}

/** The returned function ends the stall earlier. */
export function suspend(world: World, { life, database }: SimulatedProcess, ms: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  life.stalledUntil = world.now() + ms;
  life.standstill = promise;
  const resume = () => {
    if (life.standstill === promise) {
      life.standstill = undefined;
      life.stalledUntil = world.now();
    }
    resolve();
  };
  world.after(ms, resume);
  // PostgreSQL ends a transaction that is idle for longer (storage/core/database.ts).
  const idleMs = Math.min(ms, IDLE_IN_TRANSACTION_MS);
  world.after(idleMs, () => life.stalledUntil > world.now() && database.cutTransactions());
  return resume;
}
