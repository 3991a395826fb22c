/** Repeats work, and statements that only read, after a lost connection (docs/operations/high-availability.md). */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { errorCode } from '../../foundation/error-code.ts';
import { STEP_BY_STEP } from './cluster-text.ts';
import type { Database } from './database.ts';
import { isConnectionFailure, isServerLost, isTransient } from './database-errors.ts';

/** With a last attempt that ends at the query limit, a response still comes before a client's normal timeout. */
const PATIENCE_MS = 8 * SECOND_MS;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Repeats work that a lost connection interrupted, for a bounded time, so that a short failover is a slow response and not a
 * failed request (docs/operations/high-availability.md). Group commit repeats its batches itself.
 *
 * Runs `work` until it succeeds, fails for another reason, or the time is over; then rejects with the last error. An earlier
 * run may have committed, so a repeated run must find its effects by its own key.
 */
export async function persist<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean = isTransient,
): Promise<Result> {
  const endsAt = clock.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!mayRepeat(error) || clock.now() + pauseMs >= endsAt) throw error;
    }
    await clock.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Returns the same database, with every single statement that only reads repeated after a lost connection. */
export function withPatientReads(database: Database, clock: Clock): Database {
  const reading = <Result>(text: string, work: () => Promise<Result>) =>
    persist(clock, work, (error) => isOwnConnectionLost(error) && onlyReads(text));
  return {
    ...database,
    query: (text, values) => reading(text, () => database.query(text, values)),
    prepared: (name, text, values) => reading(text, () => database.prepared(name, text, values)),
  };
}

/** Returns true if our own connection was lost. After a coordinator lost a worker, a retry would only wait for that worker. */
function isOwnConnectionLost(error: unknown): boolean {
  return (isConnectionFailure(error) && !isServerLost(error)) || errorCode(error) === '53300';
}

/**
 * Returns true if the statement only reads. A caller that reads the server's clock measures the round trip, so its statement
 * is not repeated either.
 */
function onlyReads(text: string): boolean {
  const whole = text.replace(STEP_BY_STEP, '');
  return /^\s*(?:select|with)\b/i.test(whole) && !/\b(?:insert|update|delete|merge|clock_timestamp)\b/i.test(whole);
}
