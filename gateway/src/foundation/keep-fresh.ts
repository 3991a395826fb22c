/** A small table that changes seldom and is needed often: kept in memory, and read anew by whoever finds it old. */
import { type Clock, type Instant, SECOND_MS } from './clock.ts';

export interface KeepFreshParts<Value> {
  readonly read: () => Promise<Value>;
  readonly clock: Clock;
  /** Told when it can't be read; what was read last stays in force. */
  readonly onFailed: (error: unknown) => void;
}

/** Younger than this it is given as it is. */
const FRESH_MS = 1 * SECOND_MS;
/** Older than this whoever asks waits until it is read anew. */
const STALE_MS = 2 * SECOND_MS;

/** Rejects only while it was never read. */
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
      if (!kept) throw error;
      onFailed(error);
      return kept.value;
    }
  }

  return () => {
    const age = kept ? Math.abs(clock.now() - kept.readAt) : Number.POSITIVE_INFINITY;
    if (!kept || age >= STALE_MS) return refresh();
    // Who finds it a little old is served at once; those who come after find it new.
    if (age >= FRESH_MS) void refresh();
    return kept.value;
  };
}
