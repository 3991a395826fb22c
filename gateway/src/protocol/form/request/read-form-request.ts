/**
 * Turns the parameters of GET or POST /payment/form into a session to open, or into their first fault. It checks the
 * fields in the order of their table, then the currency, then the payment type. It is a pure function. The caller has
 * already found the merchant (readMerchantId) and verified the signature (checkFormSignature).
 */
import type { Merchant, MerchantKey, MerchantWithKeys } from '../../../domain/merchants/merchant.ts';
import type { MerchantSettings } from '../../../domain/merchants/merchant-settings.ts';
import type { FormSession, Language } from '../../../domain/payments/form-session.ts';
import { isCurrency } from '../../../foundation/currency.ts';
import { isId, type MerchantId } from '../../../foundation/identifiers.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { parseAmount } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { RepeatedName } from '../../http/form-body.ts';
import { signedSet, verifyMd5 } from '../../signatures/merchant-signature.ts';
import { acceptedLanguage, readLanguage } from '../languages/languages.ts';
import { choosePaymentType, type FormRail, type PaymentTypeChoice } from './choose-payment-type.ts';
import { FORM_FIELDS, type FormField, type FormRejection, fieldFault } from './form-fields.ts';

/** Decoded from the query or the body; each name occurs once. */
export type FormParameters = ReadonlyMap<string, string>;

/** The part of a session that the request defines, with the possible payment types. */
export interface FormRequest
  extends Pick<FormSession, 'merchantId' | 'orderId' | 'money' | 'amountText' | 'isSigned' | 'language' | 'parameters'>,
    PaymentTypeChoice {}

const REPEATABLE: ReadonlySet<string> = new Set([...Object.keys(FORM_FIELDS), 'sign', 'lang']);

/** Maps a decoding error to a rejection. Returns undefined if the error concerns no known parameter. */
export function decodingRejection(error: unknown): FormRejection | undefined {
  if (!(error instanceof RepeatedName) || !REPEATABLE.has(error.repeated)) return undefined;
  return { kind: 'repeated', field: error.repeated as FormField | 'sign' | 'lang' };
}

/** Reads the merchant's id. Call it first, because every other check depends on that merchant's settings. */
export function readMerchantId(parameters: FormParameters): Result<MerchantId, FormRejection> {
  const merchantId = parameters.get('merchant') ?? '';
  if (merchantId === '') return fail({ kind: 'missing', field: 'merchant' });
  return isId(merchantId) ? ok(merchantId) : fail({ kind: 'malformed', field: 'merchant' });
}

/** Never fails, because even a rejection needs a language. The merchant's choice comes before the browser's, and the payer's country last. */
export function formLanguage(
  parameters: FormParameters,
  acceptLanguage: string | undefined,
  settings?: MerchantSettings,
): Language {
  const merchants = readLanguage(parameters.get('lang') ?? '') ?? readLanguage(settings?.default_lang ?? '');
  return merchants ?? acceptedLanguage(acceptLanguage, parameters.get('country'));
}

interface FormRequester {
  readonly merchant: Merchant;
  /** The gateway verified the merchant's signature. */
  readonly isSigned: boolean;
  /** The Accept-Language header of the payer's browser. */
  readonly acceptLanguage: string | undefined;
}

export function readFormRequest(
  parameters: FormParameters,
  { merchant, isSigned, acceptLanguage }: FormRequester,
  rails: readonly FormRail[],
): Result<FormRequest, FormRejection> {
  if (merchant.state === 'suspended') return fail({ kind: 'merchant_disabled', field: 'merchant' });
  const read = readFields(parameters, merchant.settings);
  if (!read.ok) return read;
  const { merchant: _, order, amount, currency, ...others } = read.value;
  if (!isCurrency(currency)) return fail({ kind: 'not_supported', field: 'currency' });
  const money = parseAmount(amount, currency);
  invariant(money, 'amount passed validation but cannot be parsed');
  const given = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
  const chosen = choosePaymentType({ merchant, money, parameters: given }, rails);
  if (!chosen.ok) return chosen;
  return ok({
    merchantId: merchant.merchantId,
    orderId: order,
    money,
    amountText: amount,
    isSigned,
    language: formLanguage(parameters, acceptLanguage, merchant.settings),
    parameters: given,
    ...chosen.value,
  });
}

/** Reads every field; absent ones are empty. Ignores unknown parameters (decision 11). */
function readFields(
  parameters: FormParameters,
  settings: MerchantSettings,
): Result<Record<FormField, string>, FormRejection> {
  const texts = {} as Record<FormField, string>;
  for (const field of Object.keys(FORM_FIELDS) as FormField[]) {
    const text = parameters.get(field) ?? '';
    const fault = fieldFault(field, text, settings);
    if (fault !== undefined) return fail(fault);
    texts[field] = text;
  }
  return ok(texts);
}

const SIGNED_FIELDS = ['merchant', 'order', 'amount', 'currency'] as const;

export const FORM_SIGNED = signedSet(SIGNED_FIELDS);

/**
 * The optional signature of a form request: `sign`, the MD5 scheme over merchant, order, amount and currency, with a form key
 * (decision 5). It proves who requested which amount. It must not check formats or read other fields.
 *
 * Returns the form key that created the signature, or null if the request is unsigned and may be. `keys` contains the valid
 * keys. An empty signature is invalid, because a request with `sign=` intended to sign.
 */
export function checkFormSignature(
  parameters: FormParameters,
  { merchant, keys }: MerchantWithKeys,
): Result<MerchantKey | null, FormRejection> {
  const need = merchant.settings.form_sign;
  const sign = parameters.get('sign');
  if (need === 'off') return ok(null);
  if (sign === undefined) return need === 'required' ? fail({ kind: 'missing', field: 'sign' }) : ok(null);
  const covered = new Map<string, string>();
  for (const field of SIGNED_FIELDS) {
    const text = parameters.get(field);
    if (text === undefined) return fail({ kind: 'missing', field });
    covered.set(field, text);
  }
  const key = keys.form.find(({ secret }) => verifyMd5(covered, secret, sign));
  return key === undefined ? fail({ kind: 'wrong_signature', field: 'sign' }) : ok(key);
}
