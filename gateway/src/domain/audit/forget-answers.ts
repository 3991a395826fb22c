/** Retention: deletes the stored responses of actions. Their audit entries are never deleted. */
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import { inBatches } from '../../foundation/in-batches.ts';
import type { ActStore } from './act-store.ts';

/** How long a repeat gets the same response. */
const ANSWER_RETENTION_MS = 30 * DAY_MS;

const BATCH = 1_000;

/** Runs periodically in small batches, so that it does not delay other writes. Returns the number of deleted responses. */
export async function forgetAnswers(
  { acts, clock }: { readonly acts: Pick<ActStore, 'forgetAnswers'>; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(BATCH, (limit) => acts.forgetAnswers(clock.now() - ANSWER_RETENTION_MS, limit), signal);
}
