/**
 * Ends a payer's attempts, on the operator's evidence from the provider's portal or statement: the payment was not made, and
 * the provider will never report it. The attempts become refused, and the deposit continues or expires. Money that arrives
 * later counts like money after any refusal.
 */

import { HOUR_MS, type Instant } from '../../../foundation/clock.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type ActWords, type WordsRejection, wordsFault } from '../../audit/act-words.ts';
import type { DepositKey } from '../../deposits/deposit.ts';
import type { DepositRecordStore } from '../deposit-record-store.ts';
import { isInFlight, type PaymentAttempt } from './payment-attempt.ts';
import type { AttemptNews } from './plan-attempt.ts';
import { type SettleAttemptParts, settleAttempt } from './settle-attempt.ts';

/** The reason contains the provider's statement and its source. */
export type EndAttemptsOrder = DepositKey & ActWords;

export type EndAttemptsRejection =
  | WordsRejection
  | { readonly kind: 'deposit_not_found' }
  /** The first call may still be writing to the provider. */
  | { readonly kind: 'just_begun' }
  | { readonly kind: 'nothing_in_flight' };

interface EndAttemptsParts extends SettleAttemptParts {
  readonly depositRecords: Pick<DepositRecordStore, 'record'>;
}

/** The gateway no longer queries an ended attempt. */
const NO_PACE = { askAfterMs: [HOUR_MS], notFoundProofMs: HOUR_MS } as const;

/** Resolves to the attempts that it ended, in their previous state. */
export async function endAttempts(
  parts: EndAttemptsParts,
  { reason, by = 'operator', ...key }: EndAttemptsOrder,
): Promise<Result<readonly PaymentAttempt[], EndAttemptsRejection>> {
  const fault = wordsFault({ reason, by });
  if (fault) return fail(fault);
  const record = await parts.depositRecords.record(key);
  if (!record) return fail({ kind: 'deposit_not_found' });
  const obstacle = againstEndingAttempts(record.attempts, parts.clock.now());
  if (obstacle) return fail({ kind: obstacle });
  const inFlight = record.attempts.filter(isInFlight);
  for (const attempt of inFlight) await settleAttempt(parts, NO_PACE, attempt, refused(`${by}: ${reason}`, attempt));
  return ok(inFlight);
}

export function againstEndingAttempts(
  attempts: readonly PaymentAttempt[],
  now: Instant,
): 'nothing_in_flight' | 'just_begun' | null {
  const inFlight = attempts.filter(isInFlight);
  if (inFlight.length === 0) return 'nothing_in_flight';
  return inFlight.some(({ sendUntil }) => now < sendUntil) ? 'just_begun' : null;
}

function refused(detail: string, { providerReference }: PaymentAttempt): AttemptNews {
  return { reporter: 'operator', kind: 'refused', refusal: 'declined', canRetry: true, detail, providerReference };
}
