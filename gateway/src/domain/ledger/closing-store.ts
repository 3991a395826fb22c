/** The port for closing the hours of the ledger. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

interface MerchantClosing {
  readonly merchantId: MerchantId;
  /** Minus infinity if none of its hours is closed. */
  readonly closedUntil: Instant;
}

export interface ClosingStore {
  /** Commits that later postings of all merchants get at least the time `until`. */
  announce(until: Instant): Promise<void>;
  /** Returns the merchants with announced hours that are not closed. */
  open(until: Instant): Promise<readonly MerchantClosing[]>;
  /** Resolves when every transaction that held the merchant's lock before the call has ended. */
  awaitPostings(merchantId: MerchantId): Promise<void>;
  /**
   * Stores the snapshots and volumes of these merchants from `from` until `until`, in one transaction with the mark that the
   * hours are closed. Skips merchants that another process has closed since.
   */
  close(merchantIds: readonly MerchantId[], from: Instant, until: Instant): Promise<void>;
}
