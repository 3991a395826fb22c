/** The port for storing batches. A worker writes only under the fence of its claim. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import type { VaultRecord } from '../vault/vault.ts';
import type {
  Batch,
  BatchKey,
  BatchRow,
  BatchTotal,
  ListedRow,
  RowCounts,
  RowFault,
  RowState,
  Submitter,
} from './batch.ts';

export interface NewBatch extends BatchKey {
  readonly name: string;
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly rows: readonly SealedRow[];
}

export interface SealedRow {
  readonly row: number;
  readonly line: number;
  readonly record: VaultRecord;
}

/** A batch that one worker holds until the lease ends. */
export interface BatchClaim {
  readonly batch: Batch;
  readonly fence: bigint;
}

export interface CheckedRow extends Omit<BatchRow, 'line'> {
  readonly state: 'ready' | 'faulty';
  readonly contentHash: Buffer | null;
}

export interface RowOutcome {
  readonly row: number;
  readonly state: 'accepted' | 'rejected';
  readonly faults: readonly RowFault[];
}

interface RowQuery extends BatchKey {
  /** The states of the rows to return. If null, the result contains rows in all states, faulty rows first. */
  readonly states: readonly RowState[] | null;
  /** The last row of the previous page, or 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface BatchStore {
  /** Adds the batch in one commit. Returns false if it already exists. */
  add(batch: NewBatch, destroyAt: Instant): Promise<boolean>;
  find(key: BatchKey): Promise<{ readonly batch: Batch; readonly counts: RowCounts } | undefined>;
  /** Returns the batch that contains this payout as a row. */
  findByPayout(key: PayoutKey): Promise<Batch | undefined>;
  /** Returns the newest batches before that position, the newest first. */
  list(
    merchantId: MerchantId,
    before: { readonly at: Instant; readonly batchId: string } | null,
    limit: number,
  ): Promise<readonly Batch[]>;
  /** Returns rows by their number in the file. */
  rows(query: RowQuery): Promise<readonly ListedRow[]>;
  /** Returns false if the batch is not ready. */
  submit(key: BatchKey, submitter: Submitter, at: Instant): Promise<boolean>;
  /** Returns the number of cancelled rows, or undefined if the batch has already ended. */
  cancel(key: BatchKey, actor: string, at: Instant): Promise<number | undefined>;
  /** Returns undefined if no batch is due. */
  claim(now: Instant, leaseUntil: Instant): Promise<BatchClaim | undefined>;
  /** Allows another worker to claim it immediately. */
  release(claim: BatchClaim, now: Instant): Promise<void>;
  /** Returns undefined if the claim is lost. */
  claimUnchecked(claim: BatchClaim, limit: number, leaseUntil: Instant): Promise<readonly SealedRow[] | undefined>;
  /** Returns the rows that the check has passed so far. */
  checkedSoFar(key: BatchKey): Promise<readonly CheckedRow[]>;
  /** Returns false, without writing, if the claim is lost. */
  recordChecks(claim: BatchClaim, rows: readonly CheckedRow[], leaseUntil: Instant): Promise<boolean>;
  completeCheck(claim: BatchClaim, totals: readonly BatchTotal[], at: Instant): Promise<boolean>;
  /** Marks rows before they are accepted. A later cancellation does not affect them. */
  claimReady(claim: BatchClaim, limit: number, leaseUntil: Instant): Promise<readonly SealedRow[] | undefined>;
  recordOutcomes(
    claim: BatchClaim,
    outcomes: readonly RowOutcome[],
    at: Instant,
    leaseUntil: Instant,
  ): Promise<boolean>;
  finish(claim: BatchClaim, at: Instant): Promise<boolean>;
}
