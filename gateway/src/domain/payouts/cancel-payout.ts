/**
 * Cancels a payout, which is possible until the gateway sends it to a bank. A restored gateway rejects it until it has queried
 * its banks, because the database may have lost an attempt.
 */

import type { PayoutKey } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import { type ForgottenPayoutParts, mayBeForgotten } from './forgotten-payouts.ts';
import type { SettlePayout } from './settle-payout.ts';

export type CancelFailure =
  | 'payout_not_found'
  | 'already_final'
  | 'already_sent'
  | 'not_waiting'
  | 'recovering'
  | WordsRejection;

export interface Cancellation {
  /** The user or program, for the history. Defaults to the operator. */
  readonly by?: string;
  /** True for an approver, who may cancel only a payout that waits for approval. */
  readonly onlyWaiting?: boolean;
}

interface CancelPayoutParts extends ForgottenPayoutParts {
  readonly settle: SettlePayout;
}

export async function cancelPayout(
  parts: CancelPayoutParts,
  key: PayoutKey,
  reason: string,
  { by = 'operator', onlyWaiting = false }: Cancellation = {},
): Promise<Result<'cancelled', CancelFailure>> {
  const { settle, clock } = parts;
  const fault = wordsFault({ reason, by });
  if (fault) return fail(fault);
  if (await mayBeForgotten(parts, key)) return fail('recovering');
  if (!(await parts.payoutRecords.record(key))) return fail('payout_not_found');
  const outcome = await settle(key, null, {
    event: 'cancelled',
    rail: null,
    detail: reason,
    actor: by,
    at: clock.now(),
    ...(onlyWaiting && { onlyAt: 'awaiting_approval' }),
  });
  if (outcome.kind === 'settled') return ok('cancelled');
  if (outcome.kind === 'not_found') return fail('payout_not_found');
  if (outcome.kind === 'unchanged' && outcome.payout.state !== 'pending') return fail('already_final');
  return fail(onlyWaiting ? 'not_waiting' : 'already_sent');
}
