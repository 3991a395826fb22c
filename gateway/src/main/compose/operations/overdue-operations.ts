/** Lists overdue payments and payouts for the operator, and late payouts for the home page. */
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { FindLatePayouts } from '../../../domain/monitoring/overdue-store.ts';
import type { FindPace } from '../../../domain/monitoring/pace.ts';
import { DECIDES_WITHIN_MS, deadlinesOf } from '../../../domain/payments/attempts/payment-deadline.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import type { RailView } from '../create-rail-view.ts';
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

/** Even on a fast rail, a payout of some seconds is not late. */
const LEAST_LATE_MS = MINUTE_MS;

/** A rail without a pace has its deadline. */
export function createFindLatePayouts(
  core: GatewayCore,
  { everUsed }: Pick<RailView, 'everUsed'>,
  pace: FindPace,
): FindLatePayouts {
  const { overdue, clock } = core;
  return async (merchantId, limit) => {
    const own = railDeadlines(core).payouts;
    const deadlines = await Promise.all(
      (await everUsed()).map(async (rail) => {
        const { decidesWithinMs = DECIDES_WITHIN_MS } = own.find((each) => each.rail === rail) ?? {};
        const mostMs = (await pace('payout', rail))?.mostMs;
        return { rail, decidesWithinMs: mostMs == null ? decidesWithinMs : Math.max(mostMs, LEAST_LATE_MS) };
      }),
    );
    const now = clock.now();
    const found = await overdue.payouts({ now, deadlines, limit, merchantId });
    return found.filter(({ deadline }) => deadline <= now);
  };
}
