/** Waits in real time for a condition, with an error that names the missed condition. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Checking slows down the awaited work, so checks become rarer. `share` is relative to the time waited so far. */
const LOOK_EVERY = { leastMs: 10, share: 1 / 4, mostMs: 250 } as const;

/**
 * Resolves to the result of `look` once it is neither false nor undefined. Rejects after `ms` with `what`. The default is far
 * longer than a busy machine needs. It also exceeds the minute after which a callback is retried whose first attempt was in
 * flight when its gateway stopped.
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
    if (waitedMs > ms) throw new Error(`timed out after ${ms} ms: ${what}`);
    await sleep(Math.min(Math.max(waitedMs * share, leastMs), mostMs));
  }
}

/** Rejects unless the promise settles in time, because a hanging test reports nothing. */
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
