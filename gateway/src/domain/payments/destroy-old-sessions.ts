/**
 * Retention of what merchants say of payers (decisions, Environment: what is kept). A page whose session is gone does not
 * exist any more; the deposit that it may have become stays, with the payer's name.
 */
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { PaymentStore } from './payment-store.ts';

/** After its page was over. */
const UNUSED_RETENTION_MS = 1 * DAY_MS;
const USED_RETENTION_MS = 90 * DAY_MS;

const BATCH = 1_000;

/** Run from time to time, in small batches, as long as there are more. */
export async function destroyOldSessions(
  store: Pick<PaymentStore, 'destroySessions'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const retention = { unusedSince: now - UNUSED_RETENTION_MS, usedSince: now - USED_RETENTION_MS, limit: BATCH };
  while (!signal.aborted && (await store.destroySessions(retention)) >= BATCH);
}
