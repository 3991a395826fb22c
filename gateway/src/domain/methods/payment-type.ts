/** The payment types: each way to pay a deposit, with the currencies that it takes. */
import type { Currency } from '../../foundation/currency.ts';

/** How a deposit is paid, and in which currencies. Settings and limits are kept by it. */
export const PAYMENT_TYPES = {
  spei: ['MXN'],
  card: ['UAH', 'USD', 'EUR', 'KZT', 'BRL', 'MXN', 'INR', 'AZN'],
  open_banking: ['EUR'],
  e_transfer: ['CAD'],
  instant_bank: ['BRL'],
  bank_transfer_iframe: ['EUR'],
} as const satisfies Readonly<Record<string, readonly Currency[]>>;
export type PaymentType = keyof typeof PAYMENT_TYPES;

/** What a payer can choose on the hosted form, in the order in which it is offered. */
export const FORM_PAYMENT_TYPES = [
  'card',
  'open_banking',
  'e_transfer',
  'instant_bank',
  'bank_transfer_iframe',
] as const satisfies readonly PaymentType[];
export type FormPaymentType = (typeof FORM_PAYMENT_TYPES)[number];

export function isFormPaymentType(paymentType: PaymentType): paymentType is FormPaymentType {
  const types: readonly PaymentType[] = FORM_PAYMENT_TYPES;
  return types.includes(paymentType);
}

export function takesCurrency(paymentType: PaymentType, currency: Currency): boolean {
  const currencies: readonly Currency[] = PAYMENT_TYPES[paymentType];
  return currencies.includes(currency);
}
