/**
 * The parameters of the hosted form as data (interface, Hosted-form deposit; decisions, Requests). The same rules
 * apply to every payment type, both to the merchant's request and to the payer's input. `lang` and `sign` are not in
 * this table: `lang` is never at fault, and `sign` is verified instead of parsed.
 */
import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import { holdsCardNumber } from '../../../domain/vault/card-number.ts';
import { isId } from '../../../foundation/identifiers.ts';
import {
  isAddressLine,
  isCountry,
  isEmail,
  isIpAddress,
  isPhoneWithOrWithoutPlus,
  isPostCode,
} from '../../formats/contact-details.ts';
import { isCpf } from '../../formats/cpf.ts';
import { isAmount, isCurrencyCode, isMerchantsId, isPrintableText, isWebAddress } from '../../formats/field-formats.ts';
import { isPayerName } from '../../formats/payer-names.ts';

interface FieldRule {
  readonly format: (text: string, settings: MerchantSettings) => boolean;
  /** In characters. Null if the format bounds the length itself. */
  readonly maxLength: number | null;
  /** For every payment type. See choose-payment-type.ts for what single types need. */
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

/** Rejects a text that holds a card number, because the gateway stores this field in clear text. */
function withoutCard(format: (text: string) => boolean): FieldRule['format'] {
  return (text) => format(text) && !holdsCardNumber(text);
}

const PAYMENT_TYPE_NAMES: readonly string[] = FORM_PAYMENT_TYPES;

/** In the order of the checks. */
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
