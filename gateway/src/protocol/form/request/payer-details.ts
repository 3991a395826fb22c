/**
 * Turns the form's parameters into a payer's details for the rails, and lists the missing ones. It must not know
 * payment types or decide anything.
 */
import type { PaymentPayer, PaymentRail } from '../../../domain/payments/payment-rail.ts';
import type { FormField } from './form-fields.ts';

/** By wire name. */
export type StoredParameters = Readonly<Record<string, string>>;

/** The payer without the data of their browser. `ip` is the merchant's statement. */
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

/** Absent details are empty. The country is in capitals and the phone number begins with `+`, in any request. */
export function statedPayer(parameters: StoredParameters): StatedPayer {
  const texts = Object.entries(FIELDS).map(([name, field]) => [name, parameters[field] ?? '']);
  const payer = Object.fromEntries(texts) as Record<keyof StatedPayer, string>;
  const { country, phone } = payer;
  return { ...payer, country: country.toUpperCase(), phone: phone === '' ? '' : `+${phone.replace(/^\+/, '')}` };
}

/**
 * Never asked for as a text. The payer chooses the bank, the server sees the address, and the user id is the
 * merchant's.
 */
const NOT_ASKED_FOR: ReadonlySet<keyof PaymentPayer> = new Set(['bankId', 'userId', 'ip']);

/** The fields that a rail needs and the merchant did not send. */
export function fieldsToAskFor(parameters: StoredParameters, needs: PaymentRail['needs']): FormField[] {
  const isField = (need: keyof PaymentPayer): need is keyof StatedPayer => Object.hasOwn(FIELDS, need);
  return needs
    .filter(isField)
    .filter((need) => !NOT_ASKED_FOR.has(need) && (parameters[FIELDS[need]] ?? '') === '')
    .map((need) => FIELDS[need]);
}
