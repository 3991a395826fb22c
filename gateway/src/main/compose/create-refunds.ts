/** Changes after a payment's result: the providers' later reports, and refunds that the operator orders. */

import { recordAdjustment } from '../../domain/payments/adjustments/record-adjustment.ts';
import type { RecordAdjustment } from '../../domain/payments/attempts/ask-payments.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { composeAdjustmentEvent } from '../../protocol/callbacks/callback-payloads.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './gateway-core.ts';

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
