/** A deposit with all that is known of it: what an operator looks at. */

import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Callback } from '../callbacks/callback.ts';
import type { Deposit, DepositKey, DepositState, RecordedTransfer } from '../deposits/deposit.ts';
import type { DepositAdjustment, DepositRefund } from '../deposits/deposit-adjustment.ts';
import type { DepositHistoryEntry } from '../deposits/deposit-store.ts';
import type { RecordedAttempt } from './payment-attempt.ts';

export interface DepositRecord {
  readonly deposit: Deposit;
  readonly transfers: readonly RecordedTransfer[];
  /** Of a payer on the hosted form, oldest first. */
  readonly attempts: readonly RecordedAttempt[];
  /** What came later than its result, in the order of time. */
  readonly adjustments: readonly DepositAdjustment[];
  readonly refunds: readonly DepositRefund[];
  readonly history: readonly DepositHistoryEntry[];
  readonly callbacks: readonly Callback[];
}

/** Null fields do not filter. Newest first. */
export interface DepositSearch {
  readonly merchantId: MerchantId | null;
  readonly state: DepositState | null;
  readonly orderId: string | null;
  /** The CLABE. */
  readonly payTo: string | null;
  readonly limit: number;
}

export interface DepositRecordStore {
  record(key: DepositKey): Promise<DepositRecord | undefined>;
  search(search: DepositSearch): Promise<readonly Deposit[]>;
  /** Transfers that wait in suspense for the operator, oldest first. */
  held(limit: number): Promise<readonly HeldTransfer[]>;
}

/** With the order that it came for. */
export interface HeldTransfer extends RecordedTransfer {
  /** Null: it stands for no deposit. */
  readonly orderId: string | null;
}
