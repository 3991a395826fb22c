/**
 * Retention: destroys the card numbers of payouts that became final long enough ago (decisions, Environment). What stays
 * is the mask and the keyed hash, in the payout itself.
 */
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { VaultStore } from './vault-store.ts';

/** From a payout's final state to the destruction of its vault record. */
export const VAULT_RETENTION_MS = 90 * DAY_MS;

const BATCH = 1_000;

/** Run from time to time; small batches, so that it never holds up what else writes there. Returns how many it destroyed. */
export async function destroyExpiredRecords(store: VaultStore, clock: Clock, signal?: AbortSignal): Promise<number> {
  let destroyed = 0;
  for (let last = BATCH; last === BATCH && !signal?.aborted; destroyed += last) {
    last = await store.destroyDue(clock.now(), BATCH);
  }
  return destroyed;
}
