/**
 * Why a form request was refused: a closed list, each with the field at fault, so that the page can say both in the
 * payer's language. Holds nothing of what was received, so nothing of it can be echoed. Refused = no effect.
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
  /** Two fields that ask for different things. */
  | { readonly kind: 'conflict'; readonly field: FormField; readonly with: FormField }
  /** No payment type of the form takes the currency, whoever the merchant is. */
  | { readonly kind: 'not_supported'; readonly field: 'currency' }
  /** What the field asks for is turned off for the merchant, or there is no rail for it. */
  | { readonly kind: 'unavailable'; readonly field: FormField }
  | { readonly kind: 'out_of_limits'; readonly field: 'amount' }
  | { readonly kind: 'unknown_merchant'; readonly field: 'merchant' }
  | { readonly kind: 'merchant_disabled'; readonly field: 'merchant' }
  | { readonly kind: 'wrong_signature'; readonly field: 'sign' };

/** What is wrong with a field's text, or undefined; an empty one counts as not given. */
export function fieldFault(field: FormField, text: string, settings: MerchantSettings): FormRefusal | undefined {
  const { format, maxLength, mandatory: isMandatory } = FORM_FIELDS[field];
  if (text === '') return isMandatory ? { kind: 'missing', field } : undefined;
  if (maxLength !== null && isLonger(text, maxLength)) return { kind: 'too_long', field, maxLength };
  return format(text, settings) ? undefined : { kind: 'malformed', field };
}

/** A character is at most two units, so a text that is far too long is not counted through. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > maxLength * 2 || [...text].length > maxLength);
}
