/**
 * Manages the processes of one machine: starts them, restarts those that died, replaces them one by one, and stops them all.
 * It serves no requests and opens no database. The caller defines how a process starts.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { ProcessTally } from '../observability/metrics.ts';
import { type RunningProcess, type StartedProcess, untilServing } from './child-process.ts';
import type { Subject } from './process-messages.ts';
import { createRestartBackoff, type RestartBackoff } from './restart-backoff.ts';

interface SupervisorParts {
  readonly names: readonly string[];
  readonly start: (name: string) => StartedProcess;
  readonly clock: Clock;
  readonly onEvent: (event: SupervisorEvent) => void;
}

export type SupervisorEvent =
  | { readonly kind: 'started'; readonly name: string; readonly pid: number }
  | { readonly kind: 'died'; readonly name: string; readonly how: string; readonly againMs: number }
  | { readonly kind: 'replaced'; readonly name: string; readonly pid: number }
  /** The replacement failed to start, so the old process and the remaining old processes stay. */
  | { readonly kind: 'not_replaced'; readonly name: string };

export interface Supervisor {
  /** Resolves with the address for merchants; rejects with ProcessFailed when a process ends before it serves. */
  start(): Promise<string | null>;
  /** Replaces one after the other. Resolves when all are replaced, or when one replacement failed. */
  replaceAll(): Promise<void>;
  /** Returns the response of each serving process within the time limit, by name. */
  ask(about: Subject): Promise<ReadonlyMap<string, string>>;
  /** Resolves with the worst exit code once all have ended. */
  stop(): Promise<number>;
  /** Kills all processes immediately, without a stop order. */
  kill(): void;
  tally(): ProcessTally;
}

/** A slot for one process. During a replacement it contains two: the old process and its replacement. */
interface Place {
  readonly name: string;
  readonly backoff: RestartBackoff;
  running: RunningProcess | undefined;
  /** The operations on this place run one after the other. */
  turn: Promise<unknown>;
}

export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { clock, onEvent } = parts;
  const places = parts.names.map(
    (name): Place => ({ name, backoff: createRestartBackoff(), running: undefined, turn: Promise.resolve() }),
  );
  const alive = new Set<StartedProcess>();
  const stopping = new AbortController();
  let died = 0;
  let replacing: Promise<void> | undefined;

  async function launch(place: Place): Promise<RunningProcess> {
    const process = parts.start(place.name);
    alive.add(process);
    process.onEnd(() => alive.delete(process));
    onEvent({ kind: 'started', name: place.name, pid: process.pid });
    const running = await untilServing(place.name, process, clock);
    void running.ended.then(({ byItself, how }) => {
      if (!byItself || stopping.signal.aborted) return;
      if (place.running === running) place.running = undefined;
      void inTurn(place, () => revive(place, how, clock.now() - running.servesSince));
    });
    return running;
  }

  async function revive(place: Place, how: string, lived: number): Promise<void> {
    for (let livedMs = lived; !place.running && !stopping.signal.aborted; livedMs = 0) {
      const againMs = place.backoff.next(livedMs);
      died += 1;
      onEvent({ kind: 'died', name: place.name, how, againMs });
      await clock.sleep(againMs, stopping.signal);
      if (!stopping.signal.aborted) place.running = await launch(place).catch(() => undefined);
    }
  }

  /** Resolves to false if the replacement failed to start. */
  async function replace(place: Place): Promise<boolean> {
    const old = place.running;
    // The slot is empty, so the process that starts in it is already a new process.
    if (!old) return true;
    const next = await launch(place).catch(() => undefined);
    if (!next) {
      onEvent({ kind: 'not_replaced', name: place.name });
      return false;
    }
    place.running = next;
    onEvent({ kind: 'replaced', name: place.name, pid: next.pid });
    await old.leave(true);
    return true;
  }

  async function replaceInOrder(): Promise<void> {
    for (const place of places) {
      if (stopping.signal.aborted || !(await inTurn(place, () => replace(place)))) return;
    }
  }

  return {
    start: () => startAll(places, launch),
    replaceAll() {
      replacing ??= replaceInOrder().finally(() => {
        replacing = undefined;
      });
      return replacing;
    },
    ask: (about) => askAll(places, about),
    async stop() {
      stopping.abort();
      await Promise.all([replacing, ...places.map(({ turn }) => turn)]);
      const leaving = places.flatMap(({ running }) => (running ? [running.leave(false)] : []));
      return Math.max(0, ...(await Promise.all(leaving)));
    },
    kill() {
      for (const process of alive) process.kill();
    },
    tally: () => ({ serving: places.filter(({ running }) => running).length, wanted: places.length, died }),
  };
}

/** Starts the first process alone: an error that affects all processes then stops the start with a single message. */
async function startAll(
  places: readonly Place[],
  launch: (place: Place) => Promise<RunningProcess>,
): Promise<string | null> {
  const begin = (place: Place) =>
    inTurn(place, async () => {
      place.running = await launch(place);
    });
  const [first, ...others] = places;
  if (first) await begin(first);
  await Promise.all(others.map(begin));
  return first?.running?.url ?? null;
}

async function askAll(places: readonly Place[], about: Subject): Promise<ReadonlyMap<string, string>> {
  const answers = places.map(async ({ name, running }) => {
    const text = await running?.ask(about);
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map((await Promise.all(answers)).flat());
}

function inTurn<Value>(place: Place, work: () => Promise<Value>): Promise<Value> {
  const done = place.turn.then(work);
  place.turn = done.catch(() => undefined);
  return done;
}
