/** Reads the fields of Token.io's JSON: nested objects, lists, amounts. Amounts are strings there. */
import type { Money } from '../../foundation/money.ts';
import { amountOf, asFields, type Fields, fieldOf, textOf } from '../kit/provider-json.ts';

export function fieldsOf(fields: Fields | undefined, name: string): Fields | undefined {
  return asFields(fieldOf(fields, name));
}

/** Returns the objects in a list. Empty if there is no list. */
export function listOf(fields: Fields | undefined, name: string): readonly Fields[] {
  return itemsOf(fields, name)
    .map(asFields)
    .filter((item) => item !== undefined);
}

export function textsOf(fields: Fields | undefined, name: string): readonly string[] {
  return itemsOf(fields, name).filter((item) => typeof item === 'string');
}

/** Returns an amount in euro above zero. Token.io may write up to four decimals, and those after the second must be zeros. */
export function euroOf(fields: Fields | undefined, name: string): Money | undefined {
  const amount = fieldsOf(fields, name);
  return textOf(amount, 'currency') === 'EUR' ? amountOf(textOf(amount, 'value'), 'EUR') : undefined;
}

function itemsOf(fields: Fields | undefined, name: string): readonly unknown[] {
  const value = fieldOf(fields, name);
  return Array.isArray(value) ? value : [];
}
