/** The processes of the gateway in a run: they start, die at a drawn turn, and start again. */
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { Plan } from '../run/plan.ts';
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';
import { type ProcessParts, type SimulatedProcess, startProcess } from './simulated-process.ts';

export interface Fleet {
  living(): readonly SimulatedProcess[];
  at(place: number): SimulatedProcess | undefined;
  /** Kills the process at its n-th turn from now. */
  killAfter(place: number, turns: number, side: 'before' | 'after', downMs: number): void;
  /** Suspends the process at its n-th turn from now. */
  stallAfter(place: number, turns: number, ms: number): void;
  startAll(): Promise<void>;
  /** Starts and removes the processes that are due. The world must stand still. */
  tend(): Promise<void>;
  /** Kills all processes, as on a machine that is shut down. None starts again before `startAll`. */
  stopAll(): Promise<void>;
  /** True while a process waits to be started or removed. */
  isTending(): boolean;
}

/** A death or a stall of a process at one of its turns. */
interface Fault {
  readonly life: Life;
  readonly side: 'before' | 'after';
  readonly strike: () => void;
  turns: number;
}

const IDLE_IN_TRANSACTION_MS = 5 * SECOND_MS;

export function createFleet(
  world: World,
  parts: ProcessParts,
  { roles, allKeepHouse }: Pick<Plan, 'roles' | 'allKeepHouse'>,
): Fleet {
  const processes: (SimulatedProcess | undefined)[] = roles.map(() => undefined);
  const toBury: SimulatedProcess[] = [];
  const toStart: number[] = [];
  let faults: Fault[] = [];
  let started = 0;

  function meet(life: Life, side: 'before' | 'after'): void {
    for (const fault of [...faults]) {
      if (fault.life !== life || fault.side !== side) continue;
      fault.turns -= 1;
      if (fault.turns >= 0) continue;
      faults = faults.filter((other) => other !== fault);
      fault.strike();
    }
  }

  function die(life: Life, downMs: number): void {
    faults = faults.filter((fault) => fault.life !== life);
    const place = processes.findIndex((process) => process?.life === life);
    const process = processes[place];
    if (!process) return;
    life.kill();
    toBury.push(process);
    processes[place] = undefined;
    world.after(downMs, () => void toStart.push(place));
  }

  world.beforeTurn = (life) => meet(life, 'before');
  world.afterTurn = (life) => meet(life, 'after');

  async function start(place: number): Promise<void> {
    const role = roles[place];
    if (!role || processes[place]) return;
    const keepsHouse = allKeepHouse || place === roles.findIndex((other) => other !== 'api');
    // A supervisor would start it again and again until it finds its database.
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
    faults = [];
    for (const { life } of stopped) life.kill();
    for (const process of stopped) await process.bury();
  }

  return {
    stopAll,
    living: () => processes.filter((process) => process !== undefined),
    at: (place) => processes[place],
    killAfter(place, turns, side, downMs) {
      const life = processes[place]?.life;
      if (life) faults.push({ life, turns, side, strike: () => die(life, downMs) });
    },
    stallAfter(place, turns, ms) {
      const process = processes[place];
      if (process) faults.push({ life: process.life, turns, side: 'after', strike: () => suspend(world, process, ms) });
    },
    startAll: async () => {
      for (const place of roles.keys()) await start(place);
    },
    tend,
    isTending: () => toBury.length + toStart.length > 0,
  };
}

function suspend(world: World, { life, database }: SimulatedProcess, ms: number): void {
  life.stalledUntil = world.now() + ms;
  world.after(ms, () => {});
  // PostgreSQL ends a transaction that is idle for longer (storage/core/database.ts).
  const idleMs = Math.min(ms, IDLE_IN_TRANSACTION_MS);
  world.after(idleMs, () => life.stalledUntil > world.now() && database.cutTransactions());
}
