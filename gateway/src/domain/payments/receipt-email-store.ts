/** The port for the addresses that receipts by email go to. */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { RecordedAttempt } from './attempts/payment-attempt.ts';
import type { Language } from './form-session.ts';

/** Where a receipt goes, as the commit that begins an attempt writes it. */
export interface ReceiptAddress {
  readonly email: string;
  readonly language: Language;
  /** The IANA name of the payer's time zone. Empty if unknown. */
  readonly timeZone: string;
  /** Whether the message may contain the order (decision 59). */
  readonly isSigned: boolean;
}

export interface DueReceipt extends ReceiptAddress, DepositKey {
  /** Messages that the mail server did not accept. */
  readonly tries: number;
}

export interface PaidDeposit {
  readonly deposit: Deposit;
  /** Oldest first. */
  readonly attempts: readonly RecordedAttempt[];
}

export interface ReceiptEmailStore {
  /** Returns the addresses of payments to look at, longest due first. */
  due(now: Instant, limit: number): Promise<readonly DueReceipt[]>;
  read(key: DepositKey): Promise<PaidDeposit | undefined>;
  postpone(key: DepositKey, until: Instant): Promise<void>;
  /** Deletes the address. Returns false if another process deleted it first. */
  take(key: DepositKey): Promise<boolean>;
  /** Stores an address again that was taken for a send. */
  putBack(receipt: DueReceipt, lookAt: Instant): Promise<void>;
}
