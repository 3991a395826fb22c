/**
 * The parameters of the hosted form as data (interface, Hosted-form deposit; decisions, Requests). Each is read in the
 * same way whatever the payment type, on the merchant's request and where the page asks the payer for it. `lang` and
 * `sign` are no fields: the one is never at fault, the other is proved and not read.
 */

import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { holdsCardNumber } from '../../../domain/vault/card-number.ts';
import { isId } from '../../../foundation/identifiers.ts';
import { isAmount, isCurrencyCode } from '../../formats/amounts.ts';
import {
  isAddressLine,
  isCountry,
  isEmail,
  isIpAddress,
  isPhoneWithOrWithoutPlus,
  isPostCode,
} from '../../formats/contact-details.ts';
import { isCpf } from '../../formats/cpf.ts';
import { isMerchantsId } from '../../formats/own-identifiers.ts';
import { isPayerName } from '../../formats/payer-names.ts';
import { isPrintableText } from '../../formats/printable-text.ts';
import { isWebAddress } from '../../formats/web-address.ts';

interface FieldRule {
  readonly format: (text: string, settings: MerchantSettings) => boolean;
  /** In characters; null where the format has a length of its own. */
  readonly maxLength: number | null;
  /** Whatever the payment type; what one type needs beside it is said in choose-payment-type.ts. */
  readonly mandatory: boolean;
}

function mandatory(format: FieldRule['format'], maxLength: number | null = null): FieldRule {
  return { format, maxLength, mandatory: true };
}

function optional(format: FieldRule['format'], maxLength: number | null = null): FieldRule {
  return { format, maxLength, mandatory: false };
}

function payerName(maxLength: number): FieldRule {
  return optional(
    (text, { strict_names }) => isPayerName(text, { maxLength, strict: strict_names === 'on' }),
    maxLength,
  );
}

/** Kept in the clear, so a text that holds a card number is refused. */
function withoutCard(format: (text: string) => boolean): FieldRule['format'] {
  return (text) => format(text) && !holdsCardNumber(text);
}

const PAYMENT_TYPE_NAMES: readonly string[] = FORM_PAYMENT_TYPES;

/** In the order in which they are checked. */
const TABLE = {
  merchant: mandatory(isId, 64),
  order: mandatory(isMerchantsId, 64),
  amount: mandatory(isAmount),
  currency: mandatory(isCurrencyCode),
  item_name: mandatory(withoutCard(isPrintableText), 255),
  country: mandatory(isCountry),
  first_name: payerName(30),
  last_name: payerName(60),
  user_id: optional(isMerchantsId, 64),
  payment_url: optional(withoutCard(isWebAddress), 2_048),
  ip: optional(isIpAddress),
  custom: optional(withoutCard(isPrintableText), 255),
  email: optional(withoutCard(isEmail), 254),
  phone: optional(isPhoneWithOrWithoutPlus),
  address: optional(withoutCard(isAddressLine), 255),
  city: optional(withoutCard(isAddressLine), 100),
  post_code: optional(isPostCode, 12),
  region: optional(withoutCard(isAddressLine), 100),
  payment_type: optional((text) => PAYMENT_TYPE_NAMES.includes(text)),
  bank_id: optional(withoutCard(isId), 64),
  cpf: optional(isCpf),
} as const satisfies Record<string, FieldRule>;

export type FormField = keyof typeof TABLE;

export const FORM_FIELDS: Readonly<Record<FormField, FieldRule>> = TABLE;
