/**
 * Records, on the operator's evidence, an attempt that a bank has and the database lost. The payout is then at that bank, and
 * no worker sends it. An execution counts even after another rail received the payout: it is a contradiction. Only for payouts
 * in doubt after a restore: otherwise the recorded attempts are complete.
 */

import type { Clock } from '../../foundation/clock.ts';
import { type CarryingRail, timeInDoubtFor } from '../recovery/recovery.ts';
import type { RecoveryStore } from '../recovery/recovery-store.ts';
import { isUnsent } from './payout.ts';
import type { PayoutJobStore, Recognition } from './payout-job-store.ts';
import type { ReferenceOf } from './payout-order.ts';
import { carries } from './payout-rail.ts';
import type { PayoutRecord } from './payout-record-store.ts';

interface RecordForgottenAttemptParts {
  readonly jobs: Pick<PayoutJobStore, 'recognise'>;
  readonly recoveries: Pick<RecoveryStore, 'latest' | 'unaccounted'>;
  readonly rails: readonly CarryingRail[];
  readonly referenceOf: ReferenceOf;
  readonly clock: Clock;
}

/**
 * Resolves to false if that bank cannot have received it. True does not guarantee that the attempt was recorded, because a
 * worker may have begun to send the payout in the meantime.
 */
export async function recordForgottenAttempt(
  parts: RecordForgottenAttemptParts,
  { payout, job }: PayoutRecord,
  rail: string,
  certainly: Recognition['certainly'],
  evidence: string,
  by: string,
): Promise<boolean> {
  const { jobs, recoveries, rails, referenceOf, clock } = parts;
  const isCarrier = rails.some((each) => each.name === rail && carries(each, payout));
  if (!isCarrier || (certainly === null && !isUnsent(job?.stage))) return false;
  const at = clock.now();
  const reference = referenceOf({ ...payout, rail });
  const latest = await recoveries.latest();
  const isDoubtful = timeInDoubtFor(latest, rails, payout.rail, at) !== undefined;
  if (!isDoubtful && (await recoveries.unaccounted([{ rail, reference }])).length === 0) return false;
  const writtenFrom = latest?.knownUntil ?? payout.acceptedAt;
  const claim = { payout, fence: null };
  await jobs.recognise([{ claim, at, rail, reference, writtenFrom, detail: evidence, actor: by, certainly }]);
  return true;
}
