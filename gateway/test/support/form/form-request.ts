/** A signed form request as a merchant's shop sends it, and rails that can serve it. */
import { FORM_PAYMENT_TYPES, type FormPaymentType, PAYMENT_TYPES } from '../../../src/domain/methods/payment-type.ts';
import type { FormRail } from '../../../src/protocol/form/request/choose-payment-type.ts';

export type FormChange = Readonly<Record<string, string | undefined>>;

/** The required parameters, with a currency that leaves the payment type open. */
export const FORM_REQUEST = {
  merchant: 'M1',
  order: 'N17',
  amount: '12.50',
  currency: 'EUR',
  item_name: 'Tea & cup',
  country: 'IE',
} as const;

/** An undefined value removes the parameter. */
export function formParameters(change: FormChange = {}): ReadonlyMap<string, string> {
  const all: FormChange = { ...FORM_REQUEST, ...change };
  return new Map(Object.entries(all).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
}

export function formRail(paymentType: FormPaymentType, change: Partial<FormRail> = {}): FormRail {
  return { paymentType, currencies: new Set(PAYMENT_TYPES[paymentType]), simulated: true, needs: [], ...change };
}

/** The rails, one for each payment type, with all its currencies. */
export const FORM_RAILS: readonly FormRail[] = FORM_PAYMENT_TYPES.map((type) => formRail(type));
