/** Retention: deletes sessions of last month, unanswered challenges, and failed attempts that no longer count. */
import { DAY_MS } from '../../../foundation/clock.ts';
import { inBatches } from '../../../foundation/in-batches.ts';
import type { PeopleParts } from '../people-parts.ts';

const SESSIONS_KEPT_MS = 30 * DAY_MS;
const BATCH = 1_000;

/** Runs periodically, in small batches. Returns the number of deleted rows. */
export async function forgetSignIns(
  { sessions, challenges, lockouts, clock }: Pick<PeopleParts, 'sessions' | 'challenges' | 'lockouts' | 'clock'>,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  const steps = [
    () => sessions.forget(now - SESSIONS_KEPT_MS, BATCH),
    () => challenges.forget(now, BATCH),
    () => lockouts.forget(now - DAY_MS, BATCH),
  ];
  let forgotten = 0;
  for (const step of steps) forgotten += await inBatches(BATCH, step, signal);
  return forgotten;
}
