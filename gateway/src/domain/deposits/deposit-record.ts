/** A deposit with all that is known of it: what an operator looks at. */
import type { Callback } from '../callbacks/callback.ts';
import type { MerchantId } from '../merchants/merchant.ts';
import type { RecordedAttempt } from '../payments/payment-attempt.ts';
import type { Deposit, DepositKey, DepositState, RecordedTransfer } from './deposit.ts';
import type { DepositAdjustment, DepositRefund } from './deposit-adjustment.ts';
import type { DepositHistoryEntry } from './deposit-store.ts';
import type { DepositExplanation } from './explain-deposit.ts';

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

/** What `deposit show` prints: the record and, while something is waited for, why. */
export interface ExplainedDeposit extends DepositRecord {
  readonly pending: DepositExplanation | null;
}
