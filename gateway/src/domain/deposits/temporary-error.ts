/**
 * The prerequisites of a deposit: a merchant, an address, a number. If one is unavailable, the gateway has attempted nothing,
 * so the outcome is known, and the merchant may see the error (decision 20).
 */
import { SECOND_MS } from '../../foundation/clock.ts';
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { InvariantViolation } from '../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { DepositRejection } from './deposit-rejection.ts';

export type OnProblem = (problem: string, error: unknown) => void;

const RETRY_AFTER_MS = 1 * SECOND_MS;

/** `work` must have no effect that a merchant could find later. Rethrows errors that the protocol handles itself. */
export async function orTemporaryError<Value>(
  work: () => Promise<Value>,
  onProblem: OnProblem,
): Promise<Result<Value, DepositRejection>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof Overloaded || error instanceof OutcomeUnknown || error instanceof InvariantViolation)
      throw error;
    onProblem('a deposit was rejected before it was written', error);
    return fail({ kind: 'temporary_error', retryAfterMs: RETRY_AFTER_MS });
  }
}
