/**
 * Blocks payouts that were not approved in time, and releases their money. It runs periodically, and concurrently in several
 * processes, since each payout reaches its final state only once.
 */
import type { PayoutKey } from '../../../foundation/identifiers.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from '../forgotten-payouts.ts';
import type { SettlePayout } from '../settle-payout.ts';
import type { ApprovalPlace, ApprovalStore } from './approval-store.ts';

interface ExpireApprovalsParts extends ForgottenPayoutParts {
  readonly approvals: ApprovalStore;
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

/** After a restore, a bank may have a payout whose approval the database lost. It stays until every bank was queried. */
async function expire(parts: ExpireApprovalsParts, key: PayoutKey): Promise<void> {
  if (await mayBeForgotten(parts, key)) return;
  const detail = 'no approver decided in time';
  const at = parts.clock.now();
  await parts.settle(key, null, { event: 'lapsed', rail: null, detail, actor: 'gateway', at });
}
