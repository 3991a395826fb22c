/** Overdue payments and payouts: the lists of the command line, and the alerts. */
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import { deadlinesOf } from '../../domain/payments/attempts/payment-deadline.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

const LOOK_EVERY_MS = 10 * MINUTE_MS;

function railDeadlines({ rails, sendingRails }: GatewayCore) {
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

export function overdueTasks(core: GatewayCore, { onOverdue }: Hooks): PeriodicTask[] {
  const { overdue, clock } = core;
  const deadlines = railDeadlines(core);
  const run = async () => {
    const now = clock.now();
    onOverdue(await overdue.count(now, deadlines), now);
  };
  return [{ name: 'find overdue payments and payouts', everyMs: LOOK_EVERY_MS, run }];
}
