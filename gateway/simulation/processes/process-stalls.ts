/** Stalls a process, as if its machine were suspended or overloaded. */
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const IDLE_IN_TRANSACTION_MS = 5 * SECOND_MS;
/** How long after the other process begins to send. It then is still sending, or already has its response. */
const RESUMES_AFTER_MS = [0, 0, 3 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS];

interface Overtaken {
  readonly life: Life;
  readonly payouts: ReadonlySet<string>;
  readonly resume: () => void;
}

interface Stalls {
  /** Stalls the process until another process begins attempts of the payouts that it claimed last, for at most `ms`. */
  suspendUntilOvertaken(process: SimulatedProcess, ms: number): void;
  /**
   * Stalls the process when a bank next rejects one of its payouts. An attempt of that payout by another process ends the
   * stall.
   */
  suspendAtRejection(process: SimulatedProcess, ms: number): void;
  /** Called when a process has begun attempts of these payouts, given as `merchant/payout_id`. */
  seeClaim(claiming: Life, begun: readonly string[]): void;
  /** Clears all stalls after all processes have ended. */
  forget(): void;
}

export function createStalls(world: World): Stalls {
  const drawn = world.drawn.apart('ends of stalls');
  const claimed = new Map<Life, ReadonlySet<string>>();
  let atRejection: { readonly process: SimulatedProcess; readonly ms: number }[] = [];
  let waiting: Overtaken[] = [];
  function wait(process: SimulatedProcess, ms: number, payouts: readonly string[]): void {
    const { life } = process;
    const held = new Set([...(claimed.get(life) ?? []), ...payouts]);
    waiting.push({ life, payouts: held, resume: suspend(world, process, ms) });
  }
  world.afterRejection = (life, payout) => {
    const met = atRejection.find(({ process }) => process.life === life);
    if (!met) return;
    atRejection = atRejection.filter((one) => one !== met);
    wait(met.process, met.ms, [payout]);
  };
  return {
    suspendUntilOvertaken: (process, ms) => wait(process, ms, []),
    suspendAtRejection: (process, ms) => void atRejection.push({ process, ms }),
    seeClaim(claiming, begun) {
      claimed.set(claiming, new Set(begun));
      const isOver = ({ life, payouts }: Overtaken) => life !== claiming && begun.some((name) => payouts.has(name));
      for (const { resume } of waiting.filter(isOver)) world.after(drawn.oneOf(RESUMES_AFTER_MS), resume);
      waiting = waiting.filter((one) => !isOver(one));
    },
    forget() {
      atRejection = [];
      waiting = [];
      claimed.clear();
    },
  };
}

/** Returns a function that ends the stall early. */
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
