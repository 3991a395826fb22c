/** The port for payouts that await their approval. */
import type { Instant } from '../../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../../foundation/identifiers.ts';
import type { Payout } from '../payout.ts';

/** The place of a payout in the order of the deadlines. */
export interface ApprovalPlace extends PayoutKey {
  readonly approveBy: Instant;
}

/** A payout that awaits its approval. */
export interface AwaitingPayout {
  readonly payout: Payout;
  readonly approveBy: Instant;
}

interface AwaitingQuery {
  /** If null, the page contains the payouts of every merchant. */
  readonly merchantId: MerchantId | null;
  /** Exclusive. If null, the page begins at the start. */
  readonly after: ApprovalPlace | null;
  readonly limit: number;
}

/** The payouts that await their approval, earliest deadline first. */
export interface ApprovalStore {
  /** Returns the payouts whose deadline is at or before `now`. */
  lapsed(now: Instant, after: ApprovalPlace | null, limit: number): Promise<readonly ApprovalPlace[]>;
  awaiting(query: AwaitingQuery): Promise<readonly AwaitingPayout[]>;
}
