/** Retention of the request log, and of provider exchanges. Their entries are copies; the payments that they name stay. */
import type { Clock } from '../../foundation/clock.ts';
import { KEPT_MS } from './request-log.ts';
import type { RequestLogStore } from './request-log-store.ts';

const BATCH = 1_000;

/** Runs periodically, in small batches. Returns the number of deleted entries. */
export async function forgetRequests(
  store: Pick<RequestLogStore, 'forget'>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (let last = BATCH; last === BATCH && !signal?.aborted; forgotten += last)
    last = await store.forget(clock.now() - KEPT_MS, BATCH);
  return forgotten;
}
