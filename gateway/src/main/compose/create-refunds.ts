/** What comes later than the result of a payment: what providers tell of it, and refunds that the operator orders. */
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { orderToAsk, type RecordLater } from '../../domain/payments/ask-payments.ts';
import type { PaymentStore } from '../../domain/payments/payment-store.ts';
import { recordLater } from '../../domain/payments/record-later.ts';
import { createRefundDeposit, type RefundDeposit } from '../../domain/payments/refund-deposit.ts';
import { createRefundRail, type FindPayment } from '../../domain/payments/refund-rail.ts';
import { takeRest } from '../../domain/payments/take-rest.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { composeAdjustmentEvent } from '../../protocol/callback/compose-callback.ts';
import type { Rails } from '../../rails/registry.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createReport } from './create-report.ts';
import type { GatewayCore } from './open-core.ts';

interface RefundRailStores {
  readonly payments: Pick<PaymentStore, 'findByReference' | 'findDue'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
}

/** The rails by which payments go back, as the worker knows rails. */
export function createRefundRails(
  { paymentRails }: Pick<Rails, 'paymentRails'>,
  { payments, directory: merchants }: RefundRailStores,
): PayoutRail[] {
  const findPayment: FindPayment = async (rail, reference) => {
    const key = await payments.findByReference(rail, reference);
    const due = key && (await payments.findDue(key));
    return due && orderToAsk({ merchants }, due);
  };
  return paymentRails.flatMap((rail) => createRefundRail(rail, findPayment) ?? []);
}

export function createRefund({ adjustments: store, payouts, rails, clock }: GatewayCore): RefundDeposit {
  const { nextTransactionId } = payouts;
  return createRefundDeposit({ store, nextTransactionId, rails: rails.paymentRails, clock });
}

/** `nudge` wakes the callback worker of this process; those of others look by themselves. */
export function createRecordLater(core: GatewayCore, hooks: Hooks, nudge: () => void): RecordLater {
  const { adjustments: store, differences, payments, payouts, directory: merchants, clock } = core;
  const parts = {
    store,
    differences,
    payments,
    payouts,
    report: createReport(core, hooks, nudge),
    merchants,
    compose: composeAdjustmentEvent,
    clock,
    onLater(...told: Parameters<Hooks['onLater']>) {
      hooks.onLater(...told);
      nudge();
    },
  };
  return (key, news, actor) => recordLater(parts, key, news, actor);
}

export function refundTasks(core: GatewayCore, nudge: () => void): PeriodicTask[] {
  const { adjustments: store, directory: merchants, clock } = core;
  const parts = { store, merchants, compose: composeAdjustmentEvent, clock, onTaken: nudge };
  return [
    {
      name: 'take what found nothing to be taken from',
      everyMs: MINUTE_MS,
      run: (signal) => takeRest(parts, signal),
    },
  ];
}
