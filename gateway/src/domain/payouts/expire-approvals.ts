/**
 * Blocks payouts whose approval did not come in time, and releases their money. It runs periodically, also in several
 * processes at once, since each payout ends only once.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from './forgotten-payouts.ts';
import type { Payout } from './payout.ts';
import type { SettlePayout } from './settle-payout.ts';

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
  /** Null: of every merchant. */
  readonly merchantId: MerchantId | null;
  /** Exclusive; null: from the start. */
  readonly after: ApprovalPlace | null;
  readonly limit: number;
}

/** The payouts that await their approval, earliest deadline first. */
export interface ApprovalQueue {
  /** The payouts whose deadline is at or before `now`. */
  lapsed(now: Instant, after: ApprovalPlace | null, limit: number): Promise<readonly ApprovalPlace[]>;
  awaiting(query: AwaitingQuery): Promise<readonly AwaitingPayout[]>;
}

interface ExpireApprovalsParts extends ForgottenPayoutParts {
  readonly approvals: ApprovalQueue;
  readonly settle: SettlePayout;
}

const BATCH = 256;

/** Resolves at the end of the queue, or after the batch during which the signal aborted. */
export async function expireApprovals(parts: ExpireApprovalsParts, signal: AbortSignal): Promise<void> {
  const now = parts.clock.now();
  let last: ApprovalPlace | null = null;
  for (;;) {
    const lapsed: readonly ApprovalPlace[] = await parts.approvals.lapsed(now, last, BATCH);
    await Promise.all(lapsed.map((each) => expire(parts, each)));
    last = lapsed.at(-1) ?? null;
    if (lapsed.length < BATCH || signal.aborted) return;
  }
}

/** After a restore, a bank may have a payout whose approval the database forgot. It stays until every bank was asked. */
async function expire(parts: ExpireApprovalsParts, key: PayoutKey): Promise<void> {
  if (await mayBeForgotten(parts, key)) return;
  const detail = 'nobody approved it in time';
  const at = parts.clock.now();
  await parts.settle(key, null, { event: 'lapsed', rail: null, detail, actor: 'gateway', at });
}
