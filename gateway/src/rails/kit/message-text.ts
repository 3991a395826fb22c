/**
 * The text about a payment that a provider may show or send to a payer. It contains the merchant's registered name, and the
 * order's id if the merchant signed it. It must contain nothing about goods and people from a form's link: no signature covers
 * those fields, and the message may reach someone who is unrelated to the payment (decision 59).
 */
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';

export function messageText({ merchantName, signedOrder }: Pick<PaymentOrder, 'merchantName' | 'signedOrder'>): string {
  return signedOrder === '' ? merchantName : `${merchantName}: ${signedOrder}`;
}
