/** Converts between our money and Adyen's amounts: a currency and an integer of minor units. */
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import type { Money } from '../../foundation/money.ts';
import { asFields, textOf } from '../kit/provider-json.ts';

/**
 * The decimals that Adyen uses for these currencies: two each, as in ISO 4217. Confirmed by Adyen's page of currencies,
 * and by the list of exceptions in its browser library, which names none of them. Adyen differs from ISO 4217
 * elsewhere, as in CLP.
 */
const ADYEN_DECIMALS: Readonly<Partial<Record<Currency, number>>> = {
  AZN: 2,
  BRL: 2,
  EUR: 2,
  INR: 2,
  KZT: 2,
  MXN: 2,
  UAH: 2,
  USD: 2,
};

export const ADYEN_CURRENCIES: ReadonlySet<Currency> = new Set(Object.keys(ADYEN_DECIMALS).filter(isCurrency));

/** Reads Adyen's `{ currency, value }`. Undefined if it is not an amount in a currency that we support. */
export function moneyOf(value: unknown): Money | undefined {
  const fields = asFields(value);
  const currency = textOf(fields, 'currency');
  const minor = textOf(fields, 'value');
  if (!isCurrency(currency) || !ADYEN_CURRENCIES.has(currency) || !/^\d{1,15}$/.test(minor)) return undefined;
  return { currency, minor: BigInt(minor) };
}

/** Our money as Adyen's amount, to be written by `JSON.stringify`. */
export function adyenAmount({ currency, minor }: Money): { readonly currency: Currency; readonly value: number } {
  return { currency, value: Number(minor) };
}
