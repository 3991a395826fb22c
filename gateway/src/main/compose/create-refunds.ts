/** Changes after a payment's result: the providers' later reports, and refunds that the operator orders. */

import { collectExcess } from '../../domain/payments/adjustments/collect-excess.ts';
import { recordAdjustment } from '../../domain/payments/adjustments/record-adjustment.ts';
import type { RecordAdjustment } from '../../domain/payments/attempts/ask-payments.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { composeAdjustmentEvent } from '../../protocol/callbacks/callback-payloads.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './open-core.ts';

export function createRecordAdjustment(
  core: GatewayCore,
  hooks: Hooks,
  { settle, nudge }: Publishing,
): RecordAdjustment {
  const { adjustments: store, directory: merchants } = core;
  return withParts(recordAdjustment, {
    ...core,
    store,
    settle,
    merchants,
    compose: composeAdjustmentEvent,
    onLater(...report) {
      hooks.onLater(...report);
      nudge();
    },
  });
}

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
