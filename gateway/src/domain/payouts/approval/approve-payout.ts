/**
 * The command behind the approval of one payout. It moves a payout that waits for approval to the queue. The gate of the
 * payout's state decides between an approval, a cancellation and the deadline.
 */

import type { PayoutKey } from '../../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../../audit/act-words.ts';
import type { PayoutRecord, PayoutRecordStore } from '../payout-record-store.ts';
import type { SettlePayout } from '../settle-payout.ts';
import {
  type ApprovalObstacle,
  type ApprovalObstacleParts,
  type ApprovingPerson,
  findApprovalObstacle,
} from './approval-obstacles.ts';

interface PayoutApproval extends ApprovingPerson {
  /** The user, for the history. */
  readonly by: string;
  /** The reason, in the user’s words. May be empty. */
  readonly detail: string;
}

export type ApproveFailure = 'payout_not_found' | ApprovalObstacle | WordsRejection;

interface ApprovePayoutParts extends ApprovalObstacleParts {
  readonly payoutRecords: Pick<PayoutRecordStore, 'record'>;
  readonly settle: SettlePayout;
}

export async function approvePayout(
  parts: ApprovePayoutParts,
  key: PayoutKey,
  { by, detail, ...approver }: PayoutApproval,
): Promise<Result<'approved', ApproveFailure>> {
  const { payoutRecords, settle, clock } = parts;
  const fault = wordsFault({ by });
  if (fault) return fail(fault);
  const found = await payoutRecords.record(key);
  if (!found) return fail('payout_not_found');
  const obstacle = await findApprovalObstacle(parts, found, approver);
  if (obstacle) return isApprovedBy(found, by) ? ok('approved') : fail(obstacle);
  const approval = { event: 'approved', rail: null, detail, actor: by, at: clock.now(), approver } as const;
  if ((await settle(key, null, approval)).kind === 'settled') return ok('approved');
  // Another action was faster.
  const now = (await payoutRecords.record(key)) ?? found;
  if (isApprovedBy(now, by)) return ok('approved');
  return fail((await findApprovalObstacle(parts, now, approver)) ?? 'not_waiting');
}

/** True for a repeat of a request whose process died after its commit. */
function isApprovedBy({ history }: PayoutRecord, by: string): boolean {
  return history.some(({ event, actor }) => event === 'approved' && actor === by);
}
