/**
 * The operator's cancel: possible until the payout is sent to a bank, and never after. A restored gateway does not know that
 * before it has asked its banks.
 */
import type { Clock } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRefusal, wordsFault } from '../operator-words.ts';
import { isRecovering, type Recovery } from '../recovery/recovery.ts';
import type { PayoutKey } from './payout.ts';
import type { ReportPayout } from './report-payout.ts';

export type CancelFailure = 'payout_not_found' | 'already_final' | 'bank_was_told' | 'recovering' | WordsRefusal;

export type CancelPayout = (key: PayoutKey, reason: string) => Promise<Result<'cancelled', CancelFailure>>;

export function createCancelPayout(
  report: ReportPayout,
  clock: Clock,
  recovery: () => Promise<Recovery | undefined>,
): CancelPayout {
  return async (key, reason) => {
    const fault = wordsFault({ reason });
    if (fault) return fail(fault);
    if (isRecovering(await recovery())) return fail('recovering');
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
