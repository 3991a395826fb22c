/** Overdue payments and payouts: the lists of the command line. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { deadlinesOf } from '../../../domain/payments/attempts/payment-deadline.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function railDeadlines({ rails, sendingRails }: GatewayCore) {
  return { payments: deadlinesOf(rails.paymentRails), payouts: deadlinesOf(sendingRails) };
}

export function overdueOperations(core: GatewayCore): {
  readonly payments: GatewayOperations['deposits']['overdue'];
  readonly payouts: GatewayOperations['payouts']['overdue'];
} {
  const { overdue, clock } = core;
  const deadlines = railDeadlines(core);
  return {
    payments: (limit) => overdue.payments({ now: clock.now(), deadlines: deadlines.payments, limit }),
    payouts: (limit) => overdue.payouts({ now: clock.now(), deadlines: deadlines.payouts, limit }),
  };
}
