/** The rails that carry refunds: each payment rail with refunds, in the form of a payout rail. */
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import { createRefundRail, type FindPayment } from '../../domain/payments/adjustments/refund-rail.ts';
import { orderToAsk } from '../../domain/payments/attempts/ask-payments.ts';
import type { PaymentStore } from '../../domain/payments/payment-store.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { Rails } from '../../rails/registry.ts';

interface RefundRailStores {
  readonly payments: Pick<PaymentStore, 'findByReference' | 'findDue'>;
  readonly directory: Pick<MerchantDirectory, 'find'>;
}

/** Adapts the payment rails with refunds to the worker's payout rail interface. */
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
