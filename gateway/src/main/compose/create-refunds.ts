/** Changes after a payment's result: the providers' later reports, and refunds that the operator orders. */

import { collectExcess } from '../../domain/payments/adjustments/collect-excess.ts';
import { recordAdjustment } from '../../domain/payments/adjustments/record-adjustment.ts';
import { createRefundDeposit, type RefundDeposit } from '../../domain/payments/adjustments/refund-deposit.ts';
import type { RecordAdjustment } from '../../domain/payments/attempts/ask-payments.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { composeAdjustmentEvent } from '../../protocol/callbacks/callback-payloads.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './open-core.ts';

export function createRefund({ adjustments: store, payouts, rails, vault, clock }: GatewayCore): RefundDeposit {
  const { nextTransactionId } = payouts;
  return createRefundDeposit({ store, nextTransactionId, rails: rails.paymentRails, vault, clock });
}

export function createRecordAdjustment(
  core: GatewayCore,
  hooks: Hooks,
  { settle, nudge }: Publishing,
): RecordAdjustment {
  const { adjustments: store, differences, payments, payouts, directory: merchants, clock } = core;
  const parts = {
    store,
    differences,
    payments,
    payouts,
    settle,
    merchants,
    compose: composeAdjustmentEvent,
    clock,
    onLater(...report: Parameters<Hooks['onLater']>) {
      hooks.onLater(...report);
      nudge();
    },
  };
  return (key, news, actor) => recordAdjustment(parts, key, news, actor);
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
