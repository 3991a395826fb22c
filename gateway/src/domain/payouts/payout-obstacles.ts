/** Reads the obstacle to each action on one payout now. The action itself decides again, under the lock of the payout. */
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import { type ApproveFailure, isMaker, type PayoutApproval } from './approval/approve-payout.ts';
import type { CancelFailure } from './cancel-payout.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from './forgotten-payouts.ts';
import type { PayoutJob } from './payout-job-store.ts';
import type { PayoutRecord } from './payout-record-store.ts';
import type { EarlierPayouts } from './payout-store.ts';
import { transitionOf } from './payout-transitions.ts';

export type AskPayoutFailure =
  | { readonly kind: 'payout_not_found' | 'never_sent' }
  | { readonly kind: 'rail_not_configured'; readonly rail: string };

/** Null: the action is possible, as far as known. */
export interface PayoutObstacles {
  readonly approve: Extract<ApproveFailure, string> | null;
  readonly cancel: Extract<CancelFailure, string> | null;
  readonly ask: AskPayoutFailure | null;
}

export interface PayoutObstacleParts extends ForgottenPayoutParts {
  readonly payouts: Pick<EarlierPayouts, 'findMaker'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
}

export async function findPayoutObstacles(
  parts: PayoutObstacleParts,
  record: PayoutRecord,
  who: Pick<PayoutApproval, 'person' | 'mailbox'>,
): Promise<PayoutObstacles> {
  return {
    approve: await againstApproval(parts, record, who),
    cancel: await againstCancellation(parts, record),
    ask: againstAsking(parts, record),
  };
}

async function againstApproval(
  { payouts, directory, clock }: PayoutObstacleParts,
  { payout, job }: PayoutRecord,
  who: Pick<PayoutApproval, 'person' | 'mailbox'>,
): Promise<PayoutObstacles['approve']> {
  if (job === null) return 'already_final';
  if (job.stage !== 'awaiting_approval') return 'not_waiting';
  if (job.approveBy !== null && job.approveBy <= clock.now()) return 'too_late';
  const maker = await payouts.findMaker(payout);
  if (maker && isMaker(maker, who)) return 'own_payout';
  return (await directory.find(payout.merchantId))?.merchant.state === 'suspended' ? 'merchant_disabled' : null;
}

async function againstCancellation(
  parts: PayoutObstacleParts,
  { payout, job }: PayoutRecord,
): Promise<PayoutObstacles['cancel']> {
  if (job === null) return 'already_final';
  if (!isCancellable(payout, job)) return 'already_sent';
  return (await mayBeForgotten(parts, payout)) ? 'recovering' : null;
}

/** Asks the table that the action itself obeys. A pending payout has no adjustments. */
function isCancellable(
  payout: PayoutRecord['payout'],
  { stage, paidBy }: Pick<PayoutJob, 'stage' | 'paidBy'>,
): boolean {
  return transitionOf({ payout, stage, paidBy, adjustedBy: {} }, null, 'cancelled') !== undefined;
}

/** The person may name the rail of any attempt. */
export function againstAsking(
  { rails }: Pick<PayoutObstacleParts, 'rails'>,
  { attempts }: Pick<PayoutRecord, 'attempts'>,
): PayoutObstacles['ask'] {
  const latest = attempts.at(-1);
  if (!latest) return { kind: 'never_sent' };
  const isConfigured = attempts.some((attempt) => rails.some(({ name }) => name === attempt.rail));
  return isConfigured ? null : { kind: 'rail_not_configured', rail: latest.rail };
}
