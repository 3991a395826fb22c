/** A payout with its job, attempts and history, as an operator sees it. It contains no secret. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { Callback } from '../callbacks/callback.ts';
import type { LedgerLine } from '../ledger/transfer.ts';
import type { HistoryReason } from './history-reason.ts';
import type { Payout, PayoutEvent } from './payout.ts';
import type { PayoutAttemptOutcome, PayoutJob } from './payout-job-store.ts';
import type { HistoryEntry, NewAdjustment } from './payout-store.ts';

export interface PayoutAttempt {
  readonly attempt: number;
  readonly rail: string;
  readonly reference: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
  /** Null until a response is recorded. */
  readonly outcome: PayoutAttemptOutcome | PayoutEvent | null;
  readonly detail: string;
}

/** An entry has reasons or a detail (EVENTS_WITH_REASONS). */
export interface RecordedEntry extends HistoryEntry {
  readonly reasons: readonly HistoryReason[];
}

export interface PayoutRecord {
  readonly payout: Payout;
  /** Null once the payout is final. */
  readonly job: PayoutJob | null;
  readonly attempts: readonly PayoutAttempt[];
  readonly history: readonly RecordedEntry[];
  readonly adjustments: readonly NewAdjustment[];
  /** The payout's postings between accounts, in order. */
  readonly money: readonly LedgerLine[];
  readonly callbacks: readonly Callback[];
}

export interface PayoutRecordStore {
  record(key: PayoutKey): Promise<PayoutRecord | undefined>;
  /** Returns the payout's seal (payout-seal.ts), or null if it has none. */
  seal(key: PayoutKey): Promise<Buffer | null>;
}
