/** The port for payouts that wait for approval. */
import type { Instant } from '../../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../../foundation/identifiers.ts';
import type { Payout } from '../payout.ts';

/** The position of a payout in the order of deadlines. */
export interface ApprovalPlace extends PayoutKey {
  readonly approveBy: Instant;
}

/** A payout that waits for approval. */
export interface AwaitingPayout {
  readonly payout: Payout;
  readonly approveBy: Instant;
}

interface AwaitingQuery {
  /** The merchant of the payouts. If null, the page contains those of every merchant. */
  readonly merchantId: MerchantId | null;
  /** The page begins after this place. If null, it begins with the earliest deadline. */
  readonly after: ApprovalPlace | null;
  readonly limit: number;
}

/** The payouts that wait for approval, earliest deadline first. */
export interface ApprovalStore {
  /** Returns the payouts whose deadline is at or before `now`. */
  lapsed(now: Instant, after: ApprovalPlace | null, limit: number): Promise<readonly ApprovalPlace[]>;
  awaiting(query: AwaitingQuery): Promise<readonly AwaitingPayout[]>;
}
