/** Keeps a small, slowly changing table in memory. A caller that finds it stale triggers a new read. */
import { type Clock, type Instant, SECOND_MS } from './clock.ts';

interface KeepFreshParts<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** Called with the error of a failed read. The last value stays in force. If undefined, no value outlives a failed read. */
  readonly onFailed?: (error: unknown) => void;
}

/** A newer value is returned without a read. */
const FRESH_MS = 1 * SECOND_MS;
/** A caller waits for a new read if the value is older. */
const STALE_MS = 2 * SECOND_MS;

/** Rejects until a read has succeeded. Without `onFailed` it also rejects after a failed read, until one succeeds. */
export function keepFresh<Value>({ read, clock, onFailed }: KeepFreshParts<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly readAt: Instant } | undefined;
  let reading: Promise<Value> | undefined;

  function refresh(): Promise<Value> {
    reading ??= readAnew().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readAnew(): Promise<Value> {
    const readAt = clock.now();
    try {
      const value = await read();
      kept = { value: Promise.resolve(value), readAt };
      return value;
    } catch (error) {
      if (!kept || !onFailed) {
        kept = undefined;
        throw error;
      }
      onFailed(error);
      return kept.value;
    }
  }

  return () => {
    const age = kept ? Math.abs(clock.now() - kept.readAt) : Number.POSITIVE_INFINITY;
    if (!kept || age >= STALE_MS) return refresh();
    // This caller gets the old value immediately. Later callers get the new value.
    if (age >= FRESH_MS) refresh().catch(() => {}); // The next caller reads again and gets the error.
    return kept.value;
  };
}
