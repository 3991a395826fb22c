/** Waiting in tests: for something to become true, in real time, with a loud end. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Looking slows down what is waited for, so that it is done more seldom the longer it takes: `share` is of the time waited. */
const LOOK_EVERY = { leastMs: 10, share: 1 / 4, mostMs: 250 } as const;

/**
 * Resolves with what `look` gives once it is neither false nor undefined; rejects after `ms`, naming what was waited for. By
 * default long after a busy machine would have come to it, and beyond the minute after which a callback comes again whose first
 * attempt was under way when its gateway stopped.
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | false | undefined> | Found | false | undefined,
  ms = 180_000,
): Promise<Found> {
  const startedAt = Date.now();
  const { leastMs, share, mostMs } = LOOK_EVERY;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > ms) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await sleep(Math.min(Math.max(waitedMs * share, leastMs), mostMs));
  }
}

/** A promise that must settle in time; a test that hangs tells nothing. */
export async function within<Value>(ms: number, what: string, work: Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  const late = sleep(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`took longer than ${ms} ms: ${what}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    late.catch(() => undefined);
  }
}
