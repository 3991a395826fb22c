/**
 * The reasons to reject a form request: a closed list, each with the field at fault. The page explains them in the
 * payer's language. A reason holds no received text, so no page can echo one. A rejected request has no effect.
 */
import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import { FORM_FIELDS, type FormField } from './form-fields.ts';

export type FormRefusal =
  /** Absent or empty. */
  | { readonly kind: 'missing'; readonly field: FormField | 'sign' }
  | { readonly kind: 'malformed'; readonly field: FormField }
  | { readonly kind: 'repeated'; readonly field: FormField | 'sign' | 'lang' }
  /** In characters. */
  | { readonly kind: 'too_long'; readonly field: FormField; readonly maxLength: number }
  /** Two fields that contradict each other. */
  | { readonly kind: 'conflict'; readonly field: FormField; readonly with: FormField }
  /** No payment type of the form takes this currency, for any merchant. */
  | { readonly kind: 'not_supported'; readonly field: 'currency' }
  /** The merchant has disabled the payment type that the field names, or no rail carries it. */
  | { readonly kind: 'unavailable'; readonly field: FormField }
  | { readonly kind: 'out_of_limits'; readonly field: 'amount' }
  | { readonly kind: 'unknown_merchant'; readonly field: 'merchant' }
  | { readonly kind: 'merchant_disabled'; readonly field: 'merchant' }
  | { readonly kind: 'wrong_signature'; readonly field: 'sign' };

/** Returns the fault of a field's text, or undefined. An empty text counts as absent. */
export function fieldFault(field: FormField, text: string, settings: MerchantSettings): FormRefusal | undefined {
  const { format, maxLength, mandatory: isMandatory } = FORM_FIELDS[field];
  if (text === '') return isMandatory ? { kind: 'missing', field } : undefined;
  if (maxLength !== null && isLonger(text, maxLength)) return { kind: 'too_long', field, maxLength };
  return format(text, settings) ? undefined : { kind: 'malformed', field };
}

/** A character has at most two code units, so a far too long text need not be counted. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > maxLength * 2 || [...text].length > maxLength);
}
