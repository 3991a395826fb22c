/** Finds the current obstacle to each action on one deposit. The action itself decides again, under its merchant's lock. */

import type { Clock } from '../../foundation/clock.ts';
import type { AdjustmentStore } from './adjustments/adjustment-store.ts';
import { againstRefund, type RefundDepositParts, type RefundObstacle } from './adjustments/refund-deposit.ts';
import { againstEndingAttempts } from './attempts/end-attempts.ts';
import type { DepositRecord } from './deposit-record-store.ts';

/** The obstacle to each action, or null if none is known. */
export interface DepositObstacles {
  readonly refund: RefundObstacle | null;
  readonly endAttempts: ReturnType<typeof againstEndingAttempts>;
}

interface DepositObstacleParts {
  readonly adjustments: Pick<AdjustmentStore, 'refundFacts'>;
  readonly rails: RefundDepositParts['rails'];
  readonly clock: Pick<Clock, 'now'>;
}

export async function findDepositObstacles(
  { adjustments, rails, clock }: DepositObstacleParts,
  { deposit, attempts }: Pick<DepositRecord, 'deposit' | 'attempts'>,
): Promise<DepositObstacles> {
  return {
    refund: againstRefund(await adjustments.refundFacts(deposit), rails),
    endAttempts: againstEndingAttempts(attempts, clock.now()),
  };
}
