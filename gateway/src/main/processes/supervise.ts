/**
 * Keeps the processes of one machine: starts them, starts again what ended by itself, replaces them one by one, ends
 * them all. It serves nobody and knows no database; what a process is, is its starter's.
 */

import type { Clock } from '../../foundation/clock.ts';
import type { ProcessTally } from '../observability/metrics.ts';
import type { Subject } from './process-messages.ts';
import { createRestartBackoff, type RestartBackoff } from './restart-backoff.ts';
import { type RunningProcess, type StartedProcess, untilServing } from './running-process.ts';

export interface SupervisorParts {
  readonly names: readonly string[];
  readonly start: (name: string) => StartedProcess;
  readonly clock: Clock;
  readonly onEvent: (event: SupervisorEvent) => void;
}

export type SupervisorEvent =
  | { readonly kind: 'started'; readonly name: string; readonly pid: number }
  | { readonly kind: 'died'; readonly name: string; readonly how: string; readonly againMs: number }
  | { readonly kind: 'replaced'; readonly name: string; readonly pid: number }
  /** The new one ended at its start, so the old one stays, and so do those behind it. */
  | { readonly kind: 'not_replaced'; readonly name: string };

export interface Supervisor {
  /** Resolves with where merchants are served; rejects with ProcessFailed when one ends before it serves. */
  start(): Promise<string | null>;
  /** One after the other; resolves when all were, or when one could not be. */
  replaceAll(): Promise<void>;
  /** What each process that serves answers in time, by name. */
  ask(about: Subject): Promise<ReadonlyMap<string, string>>;
  /** Resolves with the worst exit code once all have ended. */
  stop(): Promise<number>;
  /** Ends all at once, without a word. */
  kill(): void;
  tally(): ProcessTally;
}

/** Where one process is at a time, and for a moment two: the one that comes and the one that goes. */
interface Place {
  readonly name: string;
  readonly backoff: RestartBackoff;
  running: RunningProcess | undefined;
  /** What is done with this place is done one after the other. */
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

  /** False: the next one could not be started. */
  async function replace(place: Place): Promise<boolean> {
    const old = place.running;
    // Nobody is in its place: whoever comes next is new anyway.
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

/** The first one alone: what keeps it from starting would keep all of them, and is told once. */
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
