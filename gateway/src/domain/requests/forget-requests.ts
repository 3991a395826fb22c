/** Retention of the request log and of provider exchanges. Their entries are copies; the payments that they name stay. */
import type { Clock } from '../../foundation/clock.ts';
import { inBatches } from '../../foundation/in-batches.ts';
import { KEPT_MS } from './request-log.ts';
import type { RequestLogStore } from './request-log-store.ts';

const BATCH = 1_000;

/** Runs periodically, in small batches. Returns the number of deleted entries. */
export async function forgetRequests(
  { store, clock }: { readonly store: Pick<RequestLogStore, 'forget'>; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(BATCH, (limit) => store.forget(clock.now() - KEPT_MS, limit), signal);
}
