/**
 * The parameters of the hosted form as data (decisions 12 and 13). The same rules apply to every payment type, both to
 * the merchant's request and to the payer's input. `lang` and `sign` are not in this table: `lang` is never at fault,
 * and `sign` is verified instead of parsed.
 */
import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import { FORM_PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import type { PaymentPayer, PaymentRail } from '../../../domain/payments/payment-rail.ts';
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
  /** The maximum number of characters. Null if the format itself limits the length. */
  readonly maxLength: number | null;
  /** True if every payment type requires it. choose-payment-type.ts has the requirements of single types. */
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

/** Rejects a string that holds a card number, because the gateway stores this field in clear text. */
function withoutCard(format: (text: string) => boolean): FieldRule['format'] {
  return (text) => format(text) && !holdsCardNumber(text);
}

const PAYMENT_TYPE_NAMES: readonly string[] = FORM_PAYMENT_TYPES;

/** The checks in their order. */
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

/** The parameters by API name. */
export type StoredParameters = Readonly<Record<string, string>>;

/** The payer without the data of their browser. `ip` is the merchant's statement. */
type StatedPayer = Omit<PaymentPayer, 'language' | 'browser'>;

const FIELDS = {
  userId: 'user_id',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  phone: 'phone',
  country: 'country',
  address: 'address',
  city: 'city',
  postCode: 'post_code',
  region: 'region',
  cpf: 'cpf',
  bankId: 'bank_id',
  ip: 'ip',
} as const satisfies Readonly<Record<keyof StatedPayer, FormField>>;

/**
 * Turns the form's parameters into a payer's details for the rails, and lists the missing details. It must not know
 * payment types or decide anything.
 *
 * Absent details are empty. The country is in capitals and the phone number begins with `+`, in any request.
 */
export function statedPayer(parameters: StoredParameters): StatedPayer {
  const texts = Object.entries(FIELDS).map(([name, field]) => [name, parameters[field] ?? '']);
  const payer = Object.fromEntries(texts) as Record<keyof StatedPayer, string>;
  const { country, phone } = payer;
  return { ...payer, country: country.toUpperCase(), phone: phone === '' ? '' : `+${phone.replace(/^\+/, '')}` };
}

/** Never requested as text: the payer chooses the bank, the server sees the address, and the user id is the merchant's. */
const NOT_ASKED_FOR: ReadonlySet<keyof PaymentPayer> = new Set(['bankId', 'userId', 'ip']);

/** Returns the fields that a rail needs and the merchant did not send. */
export function fieldsToAskFor(parameters: StoredParameters, needs: PaymentRail['needs']): FormField[] {
  const isField = (need: keyof PaymentPayer): need is keyof StatedPayer => Object.hasOwn(FIELDS, need);
  return needs
    .filter(isField)
    .filter((need) => !NOT_ASKED_FOR.has(need) && (parameters[FIELDS[need]] ?? '') === '')
    .map((need) => FIELDS[need]);
}

/**
 * The reasons to reject a form request: a closed list, each with the invalid field. The page explains them in the payer's
 * language. A reason contains no received text, so no page can echo it. A rejected request has no effect.
 */
export type FormRejection =
  /** The field is absent or empty. */
  | { readonly kind: 'missing'; readonly field: FormField | 'sign' }
  | { readonly kind: 'malformed'; readonly field: FormField }
  | { readonly kind: 'repeated'; readonly field: FormField | 'sign' | 'lang' }
  /** `maxLength` is a number of characters. */
  | { readonly kind: 'too_long'; readonly field: FormField; readonly maxLength: number }
  /** The two fields contradict each other. */
  | { readonly kind: 'conflict'; readonly field: FormField; readonly with: FormField }
  /** No payment type of the form accepts this currency, for any merchant. */
  | { readonly kind: 'not_supported'; readonly field: 'currency' }
  /** The merchant has disabled the payment type that the field names, or no rail carries it. */
  | { readonly kind: 'unavailable'; readonly field: FormField }
  | { readonly kind: 'out_of_limits'; readonly field: 'amount' }
  | { readonly kind: 'unknown_merchant'; readonly field: 'merchant' }
  | { readonly kind: 'merchant_disabled'; readonly field: 'merchant' }
  | { readonly kind: 'wrong_signature'; readonly field: 'sign' };

/** Returns the fault of a field's value, or undefined. An empty string is treated as absent. */
export function fieldFault(field: FormField, text: string, settings: MerchantSettings): FormRejection | undefined {
  const { format, maxLength, mandatory: isMandatory } = FORM_FIELDS[field];
  if (text === '') return isMandatory ? { kind: 'missing', field } : undefined;
  if (maxLength !== null && isLonger(text, maxLength)) return { kind: 'too_long', field, maxLength };
  return format(text, settings) ? undefined : { kind: 'malformed', field };
}

/** A character has at most two code units, so the characters of a far too long text need not be counted. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > maxLength * 2 || [...text].length > maxLength);
}
