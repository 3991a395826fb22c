/** A deposit with its attempts, transfers, adjustments and history, as an operator sees it. */

import type { Callback } from '../callbacks/callback.ts';
import type { Deposit, DepositKey, RecordedTransfer } from '../deposits/deposit.ts';
import type { DepositAdjustment, DepositRefund } from '../deposits/deposit-adjustment.ts';
import type { DepositHistoryEntry } from '../deposits/deposit-store.ts';
import type { LedgerLine } from '../ledger/transfer.ts';
import type { RecordedAttempt } from './attempts/payment-attempt.ts';

export interface DepositRecord {
  readonly deposit: Deposit;
  readonly transfers: readonly RecordedTransfer[];
  /** The payer's attempts on the hosted form, oldest first. */
  readonly attempts: readonly RecordedAttempt[];
  /** The adjustments after its result, oldest first. */
  readonly adjustments: readonly DepositAdjustment[];
  readonly refunds: readonly DepositRefund[];
  readonly history: readonly DepositHistoryEntry[];
  /** The deposit's postings between accounts, in order. */
  readonly money: readonly LedgerLine[];
  readonly callbacks: readonly Callback[];
}

export interface DepositRecordStore {
  record(key: DepositKey): Promise<DepositRecord | undefined>;
  /** Transfers held in suspense for the operator, oldest first. */
  held(limit: number): Promise<readonly HeldTransfer[]>;
}

/** A held transfer with the order of its deposit. */
export interface HeldTransfer extends RecordedTransfer {
  /** Null if its address belongs to no deposit. */
  readonly orderId: string | null;
}
