/** Finds merchants that accept unsigned forms, which anyone can open in the merchant's name (decision 5). Pure. */
import { FORM_PAYMENT_TYPES } from '../methods/payment-type.ts';
import { type Merchant, OPERATOR_MERCHANT } from './merchant.ts';

export interface UnsignedForms {
  readonly merchants: number;
  /** The finding, as one sentence. */
  readonly found: string;
}

const MOST_NAMED = 10;

/** Returns undefined if no merchant accepts unsigned forms. */
export function findUnsignedForms(all: readonly Merchant[]): UnsignedForms | undefined {
  const ids = all.filter(acceptsUnsignedForms).map(({ merchantId }) => merchantId);
  if (ids.length === 0) return undefined;
  const named = ids.slice(0, MOST_NAMED).join(', ');
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
  const found =
    `${named}${more}: anyone can open a form in the merchant's name, for any order and over any amount, ` +
    'so the merchant must compare the amount in each callback with the order';
  return { merchants: ids.length, found };
}

function acceptsUnsignedForms({ merchantId, state, settings }: Merchant): boolean {
  const { form_sign, disabled_payment_types: disabled } = settings;
  const hasForm = FORM_PAYMENT_TYPES.some((type) => !disabled.includes(type));
  return merchantId !== OPERATOR_MERCHANT && state === 'active' && form_sign !== 'required' && hasForm;
}
