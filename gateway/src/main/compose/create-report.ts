/** The one way by which this gateway's parts report what became of a payout: the API, the worker and the operator. */
import type { NewCallback } from '../../domain/callbacks/callback.ts';
import { createReportPayout, type ReportPayout } from '../../domain/payouts/report-payout.ts';
import {
  composePayoutCallback,
  composePayoutEvent,
  composeRefundEvent,
} from '../../protocol/callback/compose-callback.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

/** `told`: hears of callbacks that were committed. So does the worker of this process; those of others look by themselves. */
export function createReport(
  { payouts, directory, recovery }: GatewayCore,
  hooks: Pick<Hooks, 'onSettled'>,
  told: (callbacks: readonly NewCallback[]) => void,
): ReportPayout {
  return createReportPayout({
    store: payouts,
    merchants: directory,
    recovery,
    compose: { payout: composePayoutCallback, event: composePayoutEvent, refund: composeRefundEvent },
    onSettled(key, outcome) {
      hooks.onSettled(key, outcome);
      if (outcome.kind === 'settled' && outcome.plan.callbacks.length > 0) told(outcome.plan.callbacks);
    },
  });
}
