/**
 * What is known of a payer from the form's parameters, as the rails read it, and what is still to be asked for. Knows no
 * payment type and decides nothing.
 */
import type { PaymentPayer, PaymentRail } from '../../../domain/payments/payment-rail.ts';
import type { FormField } from './form-fields.ts';

/** By wire name. */
export type StoredParameters = Readonly<Record<string, string>>;

/** The payer without what only their browser tells. `ip` is what the merchant says it is. */
export type StatedPayer = Omit<PaymentPayer, 'language' | 'browser'>;

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

/** Empty where nothing was given. The country is in capitals and the phone number begins with `+`, however they were sent. */
export function statedPayer(parameters: StoredParameters): StatedPayer {
  const texts = Object.entries(FIELDS).map(([name, field]) => [name, parameters[field] ?? '']);
  const payer = Object.fromEntries(texts) as Record<keyof StatedPayer, string>;
  const { country, phone } = payer;
  return { ...payer, country: country.toUpperCase(), phone: phone === '' ? '' : `+${phone.replace(/^\+/, '')}` };
}

/** Chosen on the page, or seen by it, or of use to nobody but the merchant: never asked for as a text. */
const NOT_ASKED_FOR: ReadonlySet<keyof PaymentPayer> = new Set(['bankId', 'userId', 'ip']);

/** The fields that a rail needs and the merchant did not send. */
export function fieldsToAskFor(parameters: StoredParameters, needs: PaymentRail['needs']): FormField[] {
  const isField = (need: keyof PaymentPayer): need is keyof StatedPayer => Object.hasOwn(FIELDS, need);
  return needs
    .filter(isField)
    .filter((need) => !NOT_ASKED_FOR.has(need) && (parameters[FIELDS[need]] ?? '') === '')
    .map((need) => FIELDS[need]);
}
