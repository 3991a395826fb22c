/**
 * The work on a claimed batch: a draft is checked, a submitted batch accepted. The process may die at any moment. The check
 * has no other effect and the acceptance is idempotent, so another process can continue both.
 */
import { type AcceptBatchParts, acceptBatch } from './accept-batch.ts';
import type { BatchStore } from './batch-store.ts';
import { type CheckBatchParts, checkBatch } from './check-batch.ts';

type BatchWorkParts = CheckBatchParts & AcceptBatchParts & { readonly store: Pick<BatchStore, 'claim'> };

/** Works on one batch until nothing is left to do. Returns false if no batch is due. */
export async function workOnBatch(parts: BatchWorkParts): Promise<boolean> {
  const { store, clock, leaseMs } = parts;
  const claim = await store.claim(clock.now(), clock.now() + leaseMs);
  if (!claim) return false;
  try {
    const work = claim.batch.state === 'checking' ? checkBatch : acceptBatch;
    await work(parts, claim);
  } catch (error) {
    await store.release(claim, clock.now());
    throw error;
  }
  return true;
}
