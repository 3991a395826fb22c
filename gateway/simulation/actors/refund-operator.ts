/**
 * Operator users for payments on the hosted form: they refund payments, and end overdue ones according to the
 * provider's book.
 */
import type { DepositKey } from '../../src/domain/deposits/deposit.ts';
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import { DAY_MS } from '../../src/foundation/clock.ts';
import { type PersonParts, untilDone } from './until-done.ts';

export interface RefundOperator {
  /** Refunds the part of the payment, or all that is left of it (null). */
  refund(deposit: DepositKey, amount: string | null): void;
  /** Some days later, ends the payments that are overdue and of which the provider does not know anything. */
  endOverdueLater(): void;
}

interface RefundOperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'deposits'>;
  /** Makes the provider state that the payment was not made. It never makes the payment afterwards. */
  readonly disowns: (rail: string, reference: string) => boolean;
}

/** Longer than the payer's time and the provider's together. */
const OVERDUE_AFTER_MS = 2 * DAY_MS;
const MOST_OVERDUE = 1_000;
const REASON = 'simulated';

export function createRefundOperator(parts: RefundOperatorParts): RefundOperator {
  const { world, operations, disowns } = parts;
  let refunds = 0;

  async function endOverdue(): Promise<void> {
    const { overdue, endAttempts } = operations().deposits;
    for (const { merchantId, transactionId, rail, reference } of await overdue(MOST_OVERDUE))
      if (disowns(rail, reference)) await endAttempts({ merchantId, transactionId, reason: REASON });
  }

  return {
    refund(deposit, amount) {
      // A repeated action orders one refund.
      const order = { ...deposit, amount, reason: REASON, act: `refund ${++refunds}` };
      void untilDone(parts, () => operations().deposits.refund(order));
    },
    endOverdueLater() {
      world.inHourAfter(OVERDUE_AFTER_MS, 'end overdue payments', () => void untilDone(parts, endOverdue));
    },
  };
}
