/**
 * Moves a world's time forward. It jumps from one planned event to the next and lets the gateway, its banks and its callbacks
 * finish their work before each jump, so that everything happens in the order of its due times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, type Instant, SECOND_MS, systemSteadyMs } from '../../gateway/src/foundation/clock.ts';
import type { GatewayCore } from '../../gateway/src/main/compose/gateway-core.ts';
import { nextDueOf, type WatchedDatabase } from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import type { Activity } from './activity.ts';
import type { WorldClock } from './world-clock.ts';

/** The length of a jump without a planned event. The periodic tasks of the gateway run once per jump, so each day is reconciled. */
const LONGEST_JUMP_MS = 1 * DAY_MS;
/**
 * The jump after each event. Sweeps run every ten seconds, and a worker polls four times a second, so this wakes everything
 * that the event made due.
 */
const SWEEP_MS = 10 * SECOND_MS;

const LOOK_MS = 1;
const CALM_LOOKS = 4;
/** A request with no progress for this long waits for simulated time, at a bank that is deliberately silent. */
const PARKED_AFTER_MS = 250;
/** Work of the platform that neither the database nor an HTTP request shows: files, name lookups, new connections. */
const PLATFORM_WORK = /^(?:FSReq|GetAddrInfo|TCPConnect|RandomBytes|Sign|Verify|Hash|PBKDF2|Argon)/;

interface AdvanceParts {
  readonly core: GatewayCore;
  readonly clock: WorldClock;
  readonly activity: Activity;
  readonly queries: Pick<WatchedDatabase, 'inFlight'>;
}

/** Resolves with the number of jumps, once the clock is past `target` and the world is idle. */
export async function advanceTo({ core, clock, activity, queries }: AdvanceParts, target: Instant): Promise<number> {
  const rest = async () => {
    await untilAtRest(activity, queries);
    return nextDueOf(core);
  };
  const isEventDue = () => (clock.nextEvent() ?? Number.POSITIVE_INFINITY) <= clock.now();
  clock.steer(true);
  try {
    let jumps = 0;
    let sweepAt: Instant | null = null;
    for (let due = await rest(); clock.now() < target || isEventDue(); jumps++) {
      const now = clock.now();
      const planned = [due, clock.nextEvent()].filter((at) => at !== null).map((at) => Math.max(at, now));
      const next = Math.min(...planned, sweepAt ?? now + LONGEST_JUMP_MS, Math.max(target, now));
      sweepAt = next === sweepAt ? null : next + SWEEP_MS;
      clock.jump(next);
      due = await rest();
    }
    return jumps;
  } finally {
    clock.steer(false);
  }
}

async function untilAtRest(activity: Activity, queries: AdvanceParts['queries']): Promise<void> {
  let news = -1;
  let newsAt = systemSteadyMs();
  for (let calm = 0; calm < CALM_LOOKS; ) {
    await sleep(LOOK_MS);
    const isWorking =
      queries.inFlight() > 0 || process.getActiveResourcesInfo().some((name) => PLATFORM_WORK.test(name));
    if (isWorking || activity.events() !== news) {
      news = activity.events();
      newsAt = systemSteadyMs();
      calm = 0;
      continue;
    }
    const isParked = systemSteadyMs() - newsAt > PARKED_AFTER_MS;
    calm = activity.open() === 0 || isParked ? calm + 1 : 0;
  }
}
