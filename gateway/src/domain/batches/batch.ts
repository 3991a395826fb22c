/** A batch: a file of payouts. Its rows are sealed; the results of their check are not secret. */
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Payout } from '../payouts/payout.ts';
import type { PayoutMaker } from '../payouts/payout-store.ts';
import type { FaultOfWhole } from '../payouts/request-faults.ts';

export const BATCH_STATES = ['checking', 'ready', 'submitted', 'finished', 'cancelled'] as const;
/** `ready` means checked, but not yet submitted. */
export type BatchState = (typeof BATCH_STATES)[number];

export const ROW_STATES = ['unchecked', 'ready', 'faulty', 'accepting', 'accepted', 'rejected', 'cancelled'] as const;
/** `faulty`: the check found a fault. `rejected`: the gateway rejected the row after the submission. */
export type RowState = (typeof ROW_STATES)[number];

export const MOST_ROWS = 10_000;
export const LARGEST_FILE_BYTES = 5 * 1024 * 1024;
/** The maximum number of characters of a cell. */
export const LONGEST_CELL = 1_000;

export interface BatchKey {
  readonly merchantId: MerchantId;
  readonly batchId: string;
}

/** The user or token that submitted a batch. */
export interface Submitter extends PayoutMaker {
  /**
   * The team whose policies bind its payouts. Null means that someone with a shell on the server submitted it, whom no policy
   * binds.
   */
  readonly team: MerchantId | null;
}

export interface BatchTotal {
  readonly currency: Currency;
  readonly rows: number;
  /** The amount in minor units, like the amounts below. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly availableAfter: bigint;
}

export interface Batch extends BatchKey {
  readonly name: string;
  readonly state: BatchState;
  readonly rows: number;
  readonly totals: readonly BatchTotal[];
  readonly createdAt: Instant;
  readonly createdBy: string;
  readonly submittedAt: Instant | null;
  readonly submitter: Submitter | null;
  readonly endedAt: Instant | null;
}

export type RowCounts = Readonly<Record<RowState, number>>;

export interface RowFault {
  /** A field by its name in the API. Empty for the entire row. */
  readonly field: string;
  readonly reason: RowReason;
}

/** A code with its values. The contract has the messages. */
export type RowReason =
  | readonly [code: 'format' | 'unknown_field', field: string]
  | readonly [code: 'too_many_cells', cells: string, header: string]
  | readonly [code: 'long_cell', most: string]
  | readonly [code: 'same_id_in_file' | 'same_content_in_file', row: string]
  | readonly [code: 'same_content', payoutId: string]
  | readonly [code: 'id_used' | 'destroyed' | 'short' | FaultOfWhole];

export interface BatchRow {
  readonly row: number;
  /** The line of the file on which it begins. */
  readonly line: number;
  readonly state: RowState;
  readonly payoutId: string | null;
  readonly method: number | null;
  readonly currency: Currency | null;
  readonly amount: bigint | null;
  readonly fee: bigint | null;
  readonly rail: string | null;
  readonly accountShown: string | null;
  readonly availableAfter: bigint | null;
  readonly faults: readonly RowFault[];
  readonly warning: RowReason | null;
}

/** A row with the current state of its payout. Null if the row did not become a payout. */
export interface ListedRow extends BatchRow {
  readonly payout: Pick<Payout, 'state' | 'blockedReason'> | null;
}

/** A row of the file, by the names in its header. Any cell may contain a card number. */
export interface FileRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
  /** A fault of the row itself, such as too many cells. */
  readonly fault: RowReason | null;
}

/** Returns the id of a row's payout if the file specifies none. It is the same after every restart. */
export function payoutIdOfRow(batchId: string, row: number): string {
  return `${batchId}-${row}`;
}
