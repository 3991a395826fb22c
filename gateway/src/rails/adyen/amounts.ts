/** Adyen's amounts: a currency and a whole number of its minor units, which is read as a text. */
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import type { Money } from '../../foundation/money.ts';
import { asFields, textOf } from '../kit/provider-json.ts';

/**
 * How many decimals Adyen counts in: two, as ISO 4217, for all of these. Confirmed by Adyen's page of currencies and by the
 * list of exceptions in its browser library, which has none of them (Adyen differs from ISO 4217 elsewhere, as in CLP).
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

/** Of Adyen's `{ currency, value }`; undefined where it is not an amount in a currency that we take. */
export function moneyOf(value: unknown): Money | undefined {
  const fields = asFields(value);
  const currency = textOf(fields, 'currency');
  const minor = textOf(fields, 'value');
  if (!isCurrency(currency) || !ADYEN_CURRENCIES.has(currency) || !/^\d{1,15}$/.test(minor)) return undefined;
  return { currency, minor: BigInt(minor) };
}

/** As `JSON.stringify` writes Adyen's amount. */
export function adyenAmount({ currency, minor }: Money): { readonly currency: Currency; readonly value: number } {
  return { currency, value: Number(minor) };
}
