/**
 * Two waits of the gateway use a system timer: the pause of a group commit and its time limit (storage/core). In a simulation
 * they use simulated time; otherwise their ends would depend on the machine.
 */
import { USUAL_COMMIT_MS } from '../../src/storage/core/commits/commit-lanes.ts';
import type { World } from './world.ts';

/** A time longer than the pause of a group commit, and shorter than every timeout of a library. */
const SHORT_MS = 25;

/** Returns a function that restores the real timers. */
export function simulateShortPauses(world: World): () => void {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const simulated = new WeakMap<object, () => void>();
  const set = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    if (ms > SHORT_MS && ms !== USUAL_COMMIT_MS) return realSet(callback, ms, ...values);
    const timer = { ref() {}, unref() {} };
    simulated.set(
      timer,
      world.after(ms, () => callback(...values)),
    );
    return timer;
  };
  const clear = (timer: Parameters<typeof realClear>[0]) => {
    const cancel = typeof timer === 'object' && timer !== null ? simulated.get(timer) : undefined;
    if (cancel) cancel();
    else realClear(timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return () => void Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
}
