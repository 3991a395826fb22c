/** Finds the current obstacle to each action on one payout. The action itself decides again, under the payout's lock. */
import {
  type ApprovalObstacle,
  type ApprovalObstacleParts,
  type ApprovingPerson,
  findApprovalObstacle,
} from './approval/approval-obstacles.ts';
import type { CancelFailure } from './cancel-payout.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from './forgotten-payouts.ts';
import type { PayoutJob } from './payout-job-store.ts';
import type { PayoutRecord } from './payout-record-store.ts';
import { transitionOf } from './payout-transitions.ts';

export type AskPayoutFailure =
  | { readonly kind: 'payout_not_found' | 'never_sent' }
  | { readonly kind: 'rail_not_configured'; readonly rail: string };

/** The obstacle to each action, or null if none is known. */
export interface PayoutObstacles {
  readonly approve: ApprovalObstacle | null;
  readonly cancel: Extract<CancelFailure, string> | null;
  readonly ask: AskPayoutFailure | null;
}

export interface PayoutObstacleParts extends ForgottenPayoutParts, ApprovalObstacleParts {}

export async function findPayoutObstacles(
  parts: PayoutObstacleParts,
  record: PayoutRecord,
  who: ApprovingPerson,
): Promise<PayoutObstacles> {
  return {
    approve: await findApprovalObstacle(parts, record, who),
    cancel: await againstCancellation(parts, record),
    ask: againstAsking(parts, record),
  };
}

async function againstCancellation(
  parts: PayoutObstacleParts,
  { payout, job }: PayoutRecord,
): Promise<PayoutObstacles['cancel']> {
  if (job === null) return 'already_final';
  if (!isCancellable(payout, job)) return 'already_sent';
  return (await mayBeForgotten(parts, payout)) ? 'recovering' : null;
}

/** Uses the same table as the action itself. A pending payout has no adjustments. */
function isCancellable(
  payout: PayoutRecord['payout'],
  { stage, paidBy }: Pick<PayoutJob, 'stage' | 'paidBy'>,
): boolean {
  return transitionOf({ payout, stage, paidBy, adjustedBy: {} }, null, 'cancelled') !== undefined;
}

/** The user may name the rail of any attempt. */
export function againstAsking(
  { rails }: Pick<PayoutObstacleParts, 'rails'>,
  { attempts }: Pick<PayoutRecord, 'attempts'>,
): PayoutObstacles['ask'] {
  const latest = attempts.at(-1);
  if (!latest) return { kind: 'never_sent' };
  const isConfigured = attempts.some((attempt) => rails.some(({ name }) => name === attempt.rail));
  return isConfigured ? null : { kind: 'rail_not_configured', rail: latest.rail };
}
