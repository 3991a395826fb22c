/**
 * Retention: destroys the card numbers of payouts that have been final long enough (decision 54). The payout itself
 * keeps the mask and the keyed hash.
 */
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { VaultStore } from './vault-store.ts';

/** The time from a payout's final state to the destruction of its vault record. */
export const VAULT_RETENTION_MS = 90 * DAY_MS;

const BATCH = 1_000;

/** Runs periodically, in small batches, so that it delays no other writes. Returns the number of destroyed records. */
export async function destroyExpiredRecords(store: VaultStore, clock: Clock, signal?: AbortSignal): Promise<number> {
  let destroyed = 0;
  for (let last = BATCH; last === BATCH && !signal?.aborted; destroyed += last) {
    last = await store.destroyDue(clock.now(), BATCH);
  }
  return destroyed;
}
