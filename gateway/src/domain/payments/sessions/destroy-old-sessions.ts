/**
 * Retention of the payer's details that merchants send (decision 54). The page of a destroyed session no longer exists.
 * The session's deposit stays, with the payer's name.
 */
import { type Clock, DAY_MS } from '../../../foundation/clock.ts';
import type { PaymentStore } from '../payment-store.ts';

/** Counted from the end of the page's validity. */
const UNUSED_RETENTION_MS = 1 * DAY_MS;
const USED_RETENTION_MS = 90 * DAY_MS;

const BATCH = 1_000;

/** Runs periodically, in small batches, until none is left. */
export async function destroyOldSessions(
  { payments, clock }: { readonly payments: Pick<PaymentStore, 'destroySessions'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const retention = { unusedSince: now - UNUSED_RETENTION_MS, usedSince: now - USED_RETENTION_MS, limit: BATCH };
  while (!signal.aborted && (await payments.destroySessions(retention)) >= BATCH);
}
