/**
 * The loop over the rows of a claimed batch, shared by check and acceptance. Between two chunks other work can run, and a
 * cancellation or a shutdown takes effect.
 */
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type MerchantDirectory, merchantOf } from '../merchants/merchant-directory.ts';
import type { ReadRequestedPayout } from '../payouts/create-payout.ts';
import type { Vault } from '../vault/vault.ts';
import type { BatchClaim, BatchStore, SealedRow } from './batch-store.ts';

/** The number of rows that a worker checks or accepts at a time. */
const CHUNK = 100;

/** The parts of every work on rows. */
export interface RowWorkParts {
  readonly store: Pick<BatchStore, 'release'>;
  readonly vault: Vault;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly read: ReadRequestedPayout;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** True when this process is shutting down. It then releases the batch for another process. */
  readonly isStopping: () => boolean;
}

interface RowWork {
  /** Claims the next rows. Returns undefined if the claim of the batch is lost. */
  claimRows(limit: number, leaseUntil: Instant): Promise<readonly SealedRow[] | undefined>;
  /** Works on a chunk and records it. Returns false, without recording, if the claim is lost. */
  finishRows(rows: readonly SealedRow[], merchant: Merchant): Promise<boolean>;
}

/** Resolves to true if no row is left, and to false if the claim is lost or released. Another worker then continues. */
export async function workThroughRows(parts: RowWorkParts, claim: BatchClaim, work: RowWork): Promise<boolean> {
  const { store, merchants, clock, leaseMs, isStopping } = parts;
  for (;;) {
    if (isStopping()) {
      await store.release(claim, clock.now());
      return false;
    }
    const rows = await work.claimRows(CHUNK, clock.now() + leaseMs);
    if (!rows) return false;
    if (rows.length === 0) return true;
    // Reload the merchant for each chunk, because a suspension or a new limit binds the rows that are not accepted yet.
    const merchant = await merchantOf(merchants, claim.batch.merchantId);
    if (!(await work.finishRows(rows, merchant))) return false;
  }
}
