/**
 * The operator's cancel command: possible until the gateway sends the payout to a bank. A restored gateway rejects it
 * until it has asked its banks, because the database may have forgotten an attempt.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRefusal, wordsFault } from '../operators/operator-words.ts';
import {
  type CarryingRail,
  isRecovering,
  isToBeAskedFirst,
  type Recovery,
  timeInDoubtFor,
} from '../recovery/recovery.ts';
import type { PayoutRecordStore } from './payout-record.ts';
import type { ReportPayout } from './report-payout.ts';

export type CancelFailure = 'payout_not_found' | 'already_final' | 'bank_was_told' | 'recovering' | WordsRefusal;

export type CancelPayout = (key: PayoutKey, reason: string) => Promise<Result<'cancelled', CancelFailure>>;

export interface CancelPayoutParts {
  readonly records: Pick<PayoutRecordStore, 'record'>;
  readonly report: ReportPayout;
  readonly clock: Clock;
  readonly recovery: () => Promise<Recovery | undefined>;
  readonly rails: readonly CarryingRail[];
}

export function createCancelPayout(parts: CancelPayoutParts): CancelPayout {
  const { report, clock } = parts;
  return async (key, reason) => {
    const fault = wordsFault({ reason });
    if (fault) return fail(fault);
    if (await mayBeForgotten(parts, key)) return fail('recovering');
    if (!(await parts.records.record(key))) return fail('payout_not_found');
    const outcome = await report(key, null, {
      event: 'cancelled',
      rail: null,
      detail: reason,
      actor: 'operator',
      at: clock.now(),
    });
    if (outcome.kind === 'settled') return ok('cancelled');
    if (outcome.kind === 'not_found') return fail('payout_not_found');
    return fail(outcome.kind === 'unchanged' && outcome.payout.state !== 'pending' ? 'already_final' : 'bank_was_told');
  };
}

/** True if a bank may have paid the payout in the time in doubt, and was not asked yet. */
async function mayBeForgotten(
  { records, recovery, rails, clock }: CancelPayoutParts,
  key: PayoutKey,
): Promise<boolean> {
  const latest = await recovery();
  if (isRecovering(latest)) return true;
  if (latest === undefined) return false;
  const record = await records.record(key);
  if (record?.job?.stage !== 'queued') return false;
  const doubt = timeInDoubtFor(latest, rails, record.payout.rail, clock.now());
  return doubt !== undefined && isToBeAskedFirst(doubt.startedAt, record.job.askedAt);
}
