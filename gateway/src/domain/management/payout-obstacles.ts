/** Reads what stands against each act on one payout now. The act itself decides again, under the lock of the payout. */
import { type ApproveFailure, isSamePerson, type PayoutApproval } from '../payouts/approve-payout.ts';
import type { CancelFailure } from '../payouts/cancel-payout.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from '../payouts/may-be-forgotten.ts';
import { isUnsent } from '../payouts/payout.ts';
import type { PayoutRecord } from '../payouts/payout-record.ts';
import type { EarlierPayouts } from '../payouts/payout-store.ts';
import type { AskPayoutFailure } from '../reconciliation/ask-payout.ts';

/** Null: nothing is known to stand against the act. */
export interface PayoutObstacles {
  readonly approve: Extract<ApproveFailure, string> | null;
  readonly cancel: Extract<CancelFailure, string> | null;
  readonly ask: AskPayoutFailure | null;
}

export type FindPayoutObstacles = (
  record: PayoutRecord,
  who: Pick<PayoutApproval, 'person' | 'mailbox'>,
) => Promise<PayoutObstacles>;

export interface PayoutObstacleParts extends ForgottenPayoutParts {
  readonly payouts: Pick<EarlierPayouts, 'findMaker'>;
}

export function createFindPayoutObstacles(parts: PayoutObstacleParts): FindPayoutObstacles {
  return async (record, who) => ({
    approve: await againstApproval(parts, record, who),
    cancel: await againstCancellation(parts, record),
    ask: againstAsking(parts, record),
  });
}

async function againstApproval(
  { payouts, clock }: PayoutObstacleParts,
  { payout, job }: PayoutRecord,
  who: Pick<PayoutApproval, 'person' | 'mailbox'>,
): Promise<PayoutObstacles['approve']> {
  if (job === null) return 'already_final';
  if (job.stage !== 'awaiting_approval') return 'not_waiting';
  if (job.approveBy !== null && job.approveBy <= clock.now()) return 'too_late';
  const maker = await payouts.findMaker(payout);
  return maker && isSamePerson(maker, who) ? 'own_payout' : null;
}

async function againstCancellation(
  parts: PayoutObstacleParts,
  { payout, job }: PayoutRecord,
): Promise<PayoutObstacles['cancel']> {
  if (job === null) return 'already_final';
  if (!isUnsent(job.stage)) return 'bank_was_told';
  return (await mayBeForgotten(parts, payout)) ? 'recovering' : null;
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
