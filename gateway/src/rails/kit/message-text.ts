/**
 * The text that a provider may show or send to a payer about a payment: the merchant's registered name, and the order's id where
 * the merchant signed for it. It holds nothing that a form's link says of goods and people: no signature covers that, and the
 * message may reach somebody who has nothing to do with the payment (decision 59).
 */
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';

export function messageText({ merchantName, signedOrder }: Pick<PaymentOrder, 'merchantName' | 'signedOrder'>): string {
  return signedOrder === '' ? merchantName : `${merchantName}: ${signedOrder}`;
}
