/**
 * Retention: destroys the card numbers of payouts that have been final long enough (decision 54). The payout itself
 * keeps the mask and the keyed hash.
 */
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import { inBatches } from '../../foundation/in-batches.ts';
import type { VaultStore } from './vault-store.ts';

/** The time from a payout's final state to the destruction of its vault record. */
export const VAULT_RETENTION_MS = 90 * DAY_MS;

const BATCH = 1_000;

/** Runs periodically in small batches, so that it does not delay other writes. Returns the number of destroyed records. */
export async function destroyExpiredRecords(
  { vaultStore, clock }: { readonly vaultStore: Pick<VaultStore, 'destroyDue'>; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(BATCH, (limit) => vaultStore.destroyDue(clock.now(), limit), signal);
}
