/**
 * The pause of a group commit is the only one of the gateway that takes a system timer (storage/core/group-commit.ts). In
 * a simulation it takes the world's time, or its end would depend on the machine.
 */
import type { World } from './world.ts';

/** Longer than that pause, and shorter than every timeout of a library. */
const SHORT_MS = 25;

/** Returns the function that gives the timers back. */
export function simulateShortPauses(world: World): () => void {
  const real = globalThis.setTimeout;
  const simulated = (act: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    if (ms > SHORT_MS) return real(act, ms, ...values);
    world.after(ms, () => act(...values));
    return { ref() {}, unref() {} };
  };
  globalThis.setTimeout = simulated as unknown as typeof globalThis.setTimeout;
  return () => {
    globalThis.setTimeout = real;
  };
}
