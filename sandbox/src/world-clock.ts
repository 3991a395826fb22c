/**
 * The clock of one world, for its gateway and its simulated banks. It follows the machine's clock with a fixed offset, or
 * stands still. A jump wakes the sleepers that are due, in the order of their due times. No other world reads it.
 */
import { afterDelay, type Clock, type Instant } from '../../gateway/src/foundation/clock.ts';

export interface WorldClock extends Clock {
  /** Offset from the machine’s clock; the absolute time if the clock is frozen. */
  offsetMs(): number;
  /** Runs `run` once after `delayMs`, for the simulated banks. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** Returns when the next event at a simulated bank is due, or null if none is planned. */
  nextEvent(): Instant | null;
  /**
   * Moves the clock forward, and wakes the due sleepers. It begins one bank event at a time, so that two events of the
   * same time have the same order in each run.
   */
  jump(to: Instant): void;
  /** With `is` true, events at banks happen only by jumps. */
  steer(is: boolean): void;
  /** Starts a stopped clock, so that its world can complete its work. */
  run(): void;
}

interface WorldClockParts {
  readonly machine: Clock;
  /** True if the clock moves only by jumps. */
  readonly stands: boolean;
  /** The time at which a stopped clock begins. */
  readonly offsetMs: number;
}

interface Sleeper {
  readonly due: Instant;
  readonly isEvent: boolean;
  readonly wake: () => void;
}

export function createWorldClock({ machine, offsetMs, ...parts }: WorldClockParts): WorldClock {
  let { stands } = parts;
  let offset = offsetMs;
  let isSteered = false;
  let callOffAlarm = () => {};
  const sleepers = new Set<Sleeper>();
  const now = () => (stands ? offset : machine.now() + offset);
  const firstDue = (among: (sleeper: Sleeper) => boolean) =>
    [...sleepers].reduce((first, each) => (among(each) ? Math.min(first, each.due) : first), Number.POSITIVE_INFINITY);

  /** Returns the sleepers that an alarm may wake. */
  const wakesAlone = ({ isEvent }: Sleeper) => !(isSteered && isEvent);

  function wakeDue(mostEvents: number): void {
    const due = [...sleepers].filter((sleeper) => sleeper.due <= now()).sort((a, b) => a.due - b.due);
    const events = due.filter(({ isEvent }) => isEvent).slice(0, mostEvents);
    for (const sleeper of [...due.filter(({ isEvent }) => !isEvent), ...events])
      if (sleepers.delete(sleeper)) sleeper.wake();
    setAlarm();
  }

  function setAlarm(): void {
    callOffAlarm();
    const due = firstDue(wakesAlone);
    if (!Number.isFinite(due)) return;
    const ms = Math.max(0, due - now());
    const wake = () => wakeDue(isSteered ? 0 : Number.POSITIVE_INFINITY);
    if (!stands || ms === 0) callOffAlarm = afterDelay(machine, ms, wake);
  }

  function add(ms: number, isEvent: boolean, wake: () => void): () => void {
    const sleeper = { due: now() + ms, isEvent, wake };
    const isFirst = sleeper.due < firstDue(() => true);
    sleepers.add(sleeper);
    if (isFirst) setAlarm();
    return () => {
      if (sleepers.delete(sleeper) && sleepers.size === 0) callOffAlarm();
    };
  }

  return {
    now,
    offsetMs: () => offset,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const callOff = add(ms, false, () => {
          signal?.removeEventListener('abort', end);
          resolve();
        });
        const end = () => {
          callOff();
          resolve();
        };
        signal?.addEventListener('abort', end, { once: true });
      }),
    after: (delayMs, run) => add(delayMs, true, run),
    nextEvent() {
      const due = firstDue(({ isEvent }) => isEvent);
      return Number.isFinite(due) ? due : null;
    },
    jump(to) {
      offset += Math.max(0, to - now());
      wakeDue(1);
    },
    steer(is) {
      isSteered = is;
      setAlarm();
    },
    run() {
      if (stands) offset -= machine.now();
      stands = false;
      setAlarm();
    },
  };
}
