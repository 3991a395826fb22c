/** The sleeping loops of all processes. The world wakes them unless their process is dead. */
import type { Instant } from '../../src/foundation/clock.ts';
import type { Life } from './life.ts';

export interface Sleeper {
  readonly life: Life;
  readonly due: Instant;
  /** The duration of the sleep. */
  readonly ms: number;
}

interface Sleepers {
  sleep(life: Life, now: Instant, ms: number, signal: AbortSignal | undefined): Promise<void>;
  dueUntil(time: Instant): Sleeper[];
  /** Returns the earliest wake-up time, or Infinity if nothing sleeps. */
  nextAt(): Instant;
  wake(sleeper: Sleeper): void;
}

export function createSleepers(): Sleepers {
  const asleep = new Map<Sleeper, () => void>();
  return {
    sleep: (life, now, ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || !life.isAlive()) return signal?.aborted ? resolve() : undefined;
        const sleeper: Sleeper = { life, due: now + Math.max(0, ms), ms };
        const wake = () => {
          asleep.delete(sleeper);
          forget();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        asleep.set(sleeper, wake);
        signal?.addEventListener('abort', wake, { once: true });
        const forget = life.onDeath(() => asleep.delete(sleeper));
      }),
    dueUntil: (time) => [...asleep.keys()].filter(({ due }) => due <= time),
    nextAt: () => [...asleep.keys()].reduce((least, { due }) => Math.min(least, due), Number.POSITIVE_INFINITY),
    wake: (sleeper) => asleep.get(sleeper)?.(),
  };
}
