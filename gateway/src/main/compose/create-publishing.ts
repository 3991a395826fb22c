/** The single path by which commands publish: the report of a payout's outcome, and the wake-up of the callback worker. */

import type { NewCallback } from '../../domain/callbacks/callback.ts';
import type { CallbackTransport } from '../../domain/callbacks/callback-transport.ts';
import { type SettlePayout, settlePayout } from '../../domain/payouts/settle-payout.ts';
import { systemClock } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import {
  composePayoutCallback,
  composePayoutEvent,
  composeRefundEvent,
} from '../../protocol/callbacks/callback-payloads.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './gateway-core.ts';

/** The API, the worker and the operator's commands each create one `Publishing`. */
export interface Publishing {
  readonly settle: SettlePayout;
  /** Wakes the callback worker of this process; other processes poll. */
  readonly nudge: () => void;
}

/** `onCommitted` is called with the callbacks that a report committed. */
export function createPublishing(
  { payouts, directory, recovery }: GatewayCore,
  hooks: Pick<Hooks, 'onSettled'>,
  nudge: () => void,
  onCommitted: (callbacks: readonly NewCallback[]) => void = nudge,
): Publishing {
  const settle = withParts(settlePayout, {
    store: payouts,
    merchants: directory,
    recovery,
    compose: { payout: composePayoutCallback, event: composePayoutEvent, refund: composeRefundEvent },
    onSettled(key, outcome) {
      hooks.onSettled(key, outcome);
      if (outcome.kind === 'settled' && outcome.plan.callbacks.length > 0) onCommitted(outcome.plan.callbacks);
    },
  });
  return { settle, nudge };
}

/** The transport that sends signed callbacks to merchants. */
export function openCallbackTransport({ outside, config, clock, clockIsSteered }: GatewayCore): CallbackTransport {
  return outside.createCallbackTransport({
    policy: { development: config.environment === 'development', extraPorts: config.callbackExtraPorts },
    clock,
    mode: config.mode,
    signingTime: clockIsSteered ? systemClock.now : clock.now,
  });
}
