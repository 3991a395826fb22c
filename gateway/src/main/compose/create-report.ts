/** The single path by which the API, the worker and the operator report the outcome of a payout. */
import type { NewCallback } from '../../domain/callbacks/callback.ts';
import { createReportPayout, type ReportPayout } from '../../domain/payouts/report-payout.ts';
import {
  composePayoutCallback,
  composePayoutEvent,
  composeRefundEvent,
} from '../../protocol/callback/compose-callback.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './open-core.ts';

/** `told` receives the callbacks that were committed. The callback worker of this process needs it; other processes poll. */
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
