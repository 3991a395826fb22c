/** The port for the email addresses to which receipts are sent. */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, DepositKey } from '../deposits/deposit.ts';
import type { RecordedAttempt } from './attempts/payment-attempt.ts';
import type { Language } from './form-session.ts';

/** The address for a receipt, as written by the commit that begins an attempt. */
export interface ReceiptAddress {
  readonly email: string;
  readonly language: Language;
  /** The IANA name of the payer's time zone. Empty if unknown. */
  readonly timeZone: string;
  /** Whether the message may contain the order (decision 59). */
  readonly isSigned: boolean;
}

export interface DueReceipt extends ReceiptAddress, DepositKey {
  /** The number of messages that the mail server did not accept. */
  readonly tries: number;
}

export interface PaidDeposit {
  readonly deposit: Deposit;
  /** The attempts, the oldest first. */
  readonly attempts: readonly RecordedAttempt[];
}

export interface ReceiptEmailStore {
  /** Returns the addresses of due payments, the longest due first. */
  due(now: Instant, limit: number): Promise<readonly DueReceipt[]>;
  read(key: DepositKey): Promise<PaidDeposit | undefined>;
  postpone(key: DepositKey, until: Instant): Promise<void>;
  /** Deletes the address. Returns false if another process deleted it first. */
  take(key: DepositKey): Promise<boolean>;
  /** Restores an address that was taken for a message. */
  putBack(receipt: DueReceipt, lookAt: Instant): Promise<void>;
}
