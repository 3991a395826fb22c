/** The operator's users for form payments: they refund payments, and end overdue ones as the provider's book shows. */
import type { DepositKey } from '../../src/domain/deposits/deposit.ts';
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import { DAY_MS } from '../../src/foundation/clock.ts';
import { type PersonParts, untilDone } from './until-done.ts';

export interface RefundOperator {
  /** Refunds `amount`, or the full remaining amount if it is null. */
  refund(deposit: DepositKey, amount: string | null): void;
  /** Some days later, ends the overdue payments that the provider does not know. */
  endOverdueLater(): void;
}

interface RefundOperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'deposits'>;
  /** Makes the provider report that the payment was not made, and never make it afterwards. */
  readonly disowns: (rail: string, reference: string) => boolean;
}

/** A period longer than the sum of the payer's and the provider's time limits. */
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
      // The key `act` makes a repeated action order a single refund.
      const order = { ...deposit, amount, reason: REASON, act: `refund ${++refunds}` };
      void untilDone(parts, () => operations().deposits.refund(order));
    },
    endOverdueLater() {
      world.inHourAfter(OVERDUE_AFTER_MS, 'end overdue payments', () => void untilDone(parts, endOverdue));
    },
  };
}
