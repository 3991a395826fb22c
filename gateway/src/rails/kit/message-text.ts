/**
 * The text about a payment that a provider may show or send to a payer. It holds the merchant's registered name, and the order's
 * id if the merchant signed it. It must hold nothing about goods and people from a form's link: no signature covers those
 * fields, and the message may reach a person who is unrelated to the payment (decision 59).
 */
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';

export function messageText({ merchantName, signedOrder }: Pick<PaymentOrder, 'merchantName' | 'signedOrder'>): string {
  return signedOrder === '' ? merchantName : `${merchantName}: ${signedOrder}`;
}
