/** The periodic task of refunds and other adjustments. */
import { collectExcess } from '../../../domain/payments/adjustments/collect-excess.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { composeAdjustmentEvent } from '../../../protocol/callbacks/callback-payloads.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';

export function refundTasks(core: GatewayCore, { nudge }: Publishing): PeriodicTask[] {
  const { adjustments: store, directory: merchants, clock } = core;
  const parts = { store, merchants, compose: composeAdjustmentEvent, clock, onCovered: nudge };
  return [
    {
      name: 'post adjustments that found no receipt',
      everyMs: MINUTE_MS,
      run: (signal) => collectExcess(parts, signal),
    },
  ];
}
