/** Whether a bank may have paid an unsent payout in the time that a restore forgot. The gateway then releases no money. */
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import {
  type CarryingRail,
  isRecovering,
  isToBeAskedFirst,
  type Recovery,
  timeInDoubtFor,
} from '../recovery/recovery.ts';
import { isUnsent } from './payout.ts';
import type { PayoutRecordStore } from './payout-record.ts';

export interface ForgottenPayoutParts {
  readonly records: Pick<PayoutRecordStore, 'record'>;
  readonly clock: Clock;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly rails: readonly CarryingRail[];
}

/** True if a bank may have paid the payout in the time in doubt, and was not asked yet. */
export async function mayBeForgotten(
  { records, recovery, rails, clock }: ForgottenPayoutParts,
  key: PayoutKey,
): Promise<boolean> {
  const latest = await recovery();
  if (isRecovering(latest)) return true;
  if (latest === undefined) return false;
  const record = await records.record(key);
  if (!record?.job || !isUnsent(record.job.stage)) return false;
  const doubt = timeInDoubtFor(latest, rails, record.payout.rail, clock.now());
  return doubt !== undefined && isToBeAskedFirst(doubt.startedAt, record.job.askedAt);
}
