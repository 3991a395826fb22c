/** The payment types of deposits, each with its currencies. */
import type { Currency } from '../../foundation/currency.ts';

/** The currencies of each payment type. Settings and limits use these names. */
export const PAYMENT_TYPES = {
  spei: ['MXN'],
  card: ['UAH', 'USD', 'EUR', 'KZT', 'BRL', 'MXN', 'INR', 'AZN'],
  open_banking: ['EUR'],
  e_transfer: ['CAD'],
  instant_bank: ['BRL'],
  bank_transfer_iframe: ['EUR'],
} as const satisfies Readonly<Record<string, readonly Currency[]>>;
export type PaymentType = keyof typeof PAYMENT_TYPES;

/** The payment types that a payer can choose on the hosted form, in display order. */
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

export function acceptsCurrency(paymentType: PaymentType, currency: Currency): boolean {
  const currencies: readonly Currency[] = PAYMENT_TYPES[paymentType];
  return currencies.includes(currency);
}
