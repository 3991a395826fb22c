/** The gateway processes of a run: they start, die at a drawn turn and start again. A turn is one statement of a process. */
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { Plan } from '../run/plan.ts';
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';
import { createStalls, suspend } from './process-stalls.ts';
import { type ProcessParts, type SimulatedProcess, startProcess } from './simulated-process.ts';
import { createTurnFaults } from './turn-faults.ts';

export interface Fleet {
  living(): readonly SimulatedProcess[];
  at(place: number): SimulatedProcess | undefined;
  /** Kills the process at its n-th turn from now. */
  killAfter(place: number, turns: number, side: 'before' | 'after', downMs: number): void;
  /** Suspends the process at its n-th turn from now. */
  stallAfter(place: number, turns: number, ms: number): void;
  /** Kills the process at its n-th turn after it next begins payout attempts. */
  killClaiming(place: number, turns: number, downMs: number): void;
  /**
   * Suspends the process at its n-th turn after it next begins payout attempts. It resumes when another process begins
   * attempts of the same payouts, or after `ms`.
   */
  stallClaiming(place: number, turns: number, ms: number): void;
  /** Suspends the process for up to `ms` when a bank next rejects one of its payouts. */
  stallRejected(place: number, ms: number): void;
  startAll(): Promise<void>;
  /** Starts and removes processes. Call it only while simulated time is paused. */
  tend(): Promise<void>;
  /** Kills all processes, as if the machine were shut down. They stay down until `startAll`. */
  stopAll(): Promise<void>;
  /** True while a process waits to be started or removed. */
  isTending(): boolean;
}

export function createFleet(
  world: World,
  parts: ProcessParts,
  { roles, allKeepHouse }: Pick<Plan, 'roles' | 'allKeepHouse'>,
): Fleet {
  const processes: (SimulatedProcess | undefined)[] = roles.map(() => undefined);
  const toBury: SimulatedProcess[] = [];
  const toStart: number[] = [];
  const stalls = createStalls(world);
  const faults = createTurnFaults(world, stalls.seeClaim);
  let started = 0;

  function die(life: Life, downMs: number): void {
    faults.endOf(life);
    const place = processes.findIndex((process) => process?.life === life);
    const process = processes[place];
    if (!process) return;
    life.kill();
    toBury.push(process);
    processes[place] = undefined;
    world.after(downMs, () => void toStart.push(place));
  }

  async function start(place: number): Promise<void> {
    const role = roles[place];
    if (!role || processes[place]) return;
    const keepsHouse = allKeepHouse || place === roles.findIndex((other) => other !== 'api');
    // A supervisor would restart it repeatedly until its database is reachable.
    if (parts.faults.isAway()) {
      world.after(5 * SECOND_MS, () => void toStart.push(place));
      return;
    }
    processes[place] = await startProcess(parts, `process ${place} start ${++started}`, role, keepsHouse);
  }

  async function tend(): Promise<void> {
    for (const process of toBury.splice(0)) await process.bury();
    for (const place of toStart.splice(0)) await start(place);
  }

  async function stopAll(): Promise<void> {
    const stopped = [...toBury.splice(0), ...processes.filter((process) => process !== undefined)];
    processes.fill(undefined);
    toStart.length = 0;
    faults.forget();
    stalls.forget();
    for (const { life } of stopped) life.kill();
    for (const process of stopped) await process.bury();
  }

  return {
    stopAll,
    living: () => processes.filter((process) => process !== undefined),
    at: (place) => processes[place],
    killAfter(place, turns, side, downMs) {
      const life = processes[place]?.life;
      if (life) faults.add({ life, turns, side, strike: () => die(life, downMs) });
    },
    stallAfter(place, turns, ms) {
      const process = processes[place];
      if (process) faults.add({ life: process.life, turns, side: 'after', strike: () => suspend(world, process, ms) });
    },
    killClaiming(place, turns, downMs) {
      const life = processes[place]?.life;
      if (life) faults.addAtClaim({ life, turns, side: 'after', strike: () => die(life, downMs) });
    },
    stallClaiming(place, turns, ms) {
      const process = processes[place];
      if (!process) return;
      faults.addAtClaim({
        life: process.life,
        turns,
        side: 'after',
        strike: () => stalls.suspendUntilOvertaken(process, ms),
      });
    },
    stallRejected(place, ms) {
      const process = processes[place];
      if (process) stalls.suspendAtRejection(process, ms);
    },
    startAll: async () => {
      for (const place of roles.keys()) await start(place);
    },
    tend,
    isTending: () => toBury.length + toStart.length > 0,
  };
}
