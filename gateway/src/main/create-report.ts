/** The one way by which this gateway's parts report what became of a payout: the API, the worker and the operator. */
import { createReportPayout, type ReportPayout } from '../domain/payouts/report-payout.ts';
import {
  composePayoutCallback,
  composePayoutEvent,
  composeRefundEvent,
} from '../protocol/callback/compose-callback.ts';
import type { Hooks } from './observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

/** `nudge`: wakes the callback worker of this process; those of others look by themselves. */
export function createReport(
  { payouts, directory }: GatewayCore,
  hooks: Pick<Hooks, 'onSettled'>,
  nudge: () => void,
): ReportPayout {
  return createReportPayout({
    store: payouts,
    merchants: directory,
    compose: { payout: composePayoutCallback, event: composePayoutEvent, refund: composeRefundEvent },
    onSettled(key, outcome) {
      hooks.onSettled(key, outcome);
      nudge();
    },
  });
}
