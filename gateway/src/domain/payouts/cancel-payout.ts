/**
 * The operator's cancel command: possible until the gateway sends the payout to a bank. A restored gateway rejects it
 * until it has asked its banks, because the database may have forgotten an attempt.
 */
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRefusal, wordsFault } from '../operators/operator-words.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from './may-be-forgotten.ts';
import type { ReportPayout } from './report-payout.ts';

export type CancelFailure = 'payout_not_found' | 'already_final' | 'already_sent' | 'recovering' | WordsRefusal;

export type CancelPayout = (key: PayoutKey, reason: string) => Promise<Result<'cancelled', CancelFailure>>;

interface CancelPayoutParts extends ForgottenPayoutParts {
  readonly report: ReportPayout;
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
    return fail(outcome.kind === 'unchanged' && outcome.payout.state !== 'pending' ? 'already_final' : 'already_sent');
  };
}
