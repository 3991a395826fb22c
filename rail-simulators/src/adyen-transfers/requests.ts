/** Adyen's checks of a card transfer request before it is accepted. The result lists each invalid field. */

import { asFields, type Fields, textOf } from '../kernel/fields.ts';
import type { CardHolder } from './book.ts';

export interface TransferRequest {
  readonly reference: string;
  readonly description: string;
  readonly currency: string;
  readonly value: number;
  readonly cardHolder: CardHolder;
  readonly maskedNumber: string;
}

export interface InvalidField {
  readonly name: string;
  readonly message: string;
}

type Check = readonly [name: string, holds: boolean];

const NAME = /^[a-zA-Z./— -]+$/;
const ADDRESS = /^[a-zA-Z0-9.—/#,’°():;[\]&\\| -]+$/;
const DESCRIPTION = /^[a-zA-Z0-9/?:().,'+ -]{0,140}$/;

export function readTransfer(fields: Fields, balanceAccount: string): TransferRequest | readonly InvalidField[] {
  const amount = asFields(fields['amount']);
  const card = asFields(asFields(fields['counterparty'])['card']);
  const cardHolder = asFields(card['cardHolder']);
  const identification = asFields(card['cardIdentification']);
  const checks = [
    ...checksOfTransfer(fields, amount, balanceAccount),
    ...checksOfHolder(cardHolder),
    ...checksOfCard(identification),
  ];
  const invalid = checks.filter(([, holds]) => !holds);
  if (invalid.length > 0) return invalid.map(([name]) => ({ name, message: 'The value is missing or not valid' }));
  const address = cardHolder['address'];
  return {
    reference: textOf(fields, 'reference'),
    description: textOf(fields, 'description'),
    currency: textOf(amount, 'currency'),
    value: Number(amount['value']),
    cardHolder: {
      type: 'individual',
      firstName: textOf(cardHolder, 'firstName'),
      lastName: textOf(cardHolder, 'lastName'),
      ...(address === undefined ? {} : { address: address as Readonly<Record<string, string>> }),
    },
    maskedNumber: masked(textOf(identification, 'number')),
  };
}

export function isRequest(read: TransferRequest | readonly InvalidField[]): read is TransferRequest {
  return 'maskedNumber' in read;
}

function checksOfTransfer(fields: Fields, amount: Fields, balanceAccount: string): readonly Check[] {
  const { value } = amount;
  return [
    ['category', fields['category'] === 'card'],
    ['amount.value', Number.isSafeInteger(value) && Number(value) > 0],
    ['amount.currency', /^[A-Z]{3}$/.test(textOf(amount, 'currency'))],
    ['balanceAccountId', fields['balanceAccountId'] === balanceAccount],
    ['reference', textOf(fields, 'reference').length <= 80],
    ['description', DESCRIPTION.test(textOf(fields, 'description'))],
  ];
}

function checksOfHolder(holder: Fields): readonly Check[] {
  const at = (name: string) => `counterparty.card.cardHolder.${name}`;
  const born = holder['dateOfBirth'];
  return [
    [at('type'), holder['type'] === 'individual'],
    [at('firstName'), NAME.test(textOf(holder, 'firstName'))],
    [at('lastName'), NAME.test(textOf(holder, 'lastName'))],
    [at('dateOfBirth'), born === undefined || /^\d{4}-\d{2}-\d{2}$/.test(String(born))],
    ...(holder['address'] === undefined ? [] : checksOfAddress(asFields(holder['address']), at('address'))),
  ];
}

function checksOfAddress(address: Fields, at: string): readonly Check[] {
  const country = textOf(address, 'country');
  const isNorthAmerican = country === 'US' || country === 'CA';
  const postalCode = address['postalCode'];
  const hasSoundCode = /^[a-zA-Z0-9 ]{3,10}$/.test(String(postalCode)) && (country !== 'US' || isZip(postalCode));
  return [
    [`${at}.country`, /^[A-Z]{2}$/.test(country)],
    [`${at}.city`, ADDRESS.test(textOf(address, 'city')) && textOf(address, 'city').length >= 3],
    [`${at}.line1`, ADDRESS.test(textOf(address, 'line1'))],
    [`${at}.line2`, ADDRESS.test(textOf(address, 'line2'))],
    [`${at}.postalCode`, (postalCode === undefined && country !== 'US') || hasSoundCode],
    [`${at}.stateOrProvince`, !isNorthAmerican || /^[A-Z]{2}$/.test(textOf(address, 'stateOrProvince'))],
  ];
}

function isZip(postalCode: unknown): boolean {
  return /^\d{5}$/.test(String(postalCode));
}

function checksOfCard(identification: Fields): readonly Check[] {
  const at = (name: string) => `counterparty.card.cardIdentification.${name}`;
  const { expiryMonth: month, expiryYear: year } = identification;
  return [
    [at('number'), /^\d{4,19}$/.test(textOf(identification, 'number'))],
    [at('expiryMonth'), month === undefined || /^(?:0[1-9]|1[0-2])$/.test(String(month))],
    [at('expiryYear'), year === undefined || /^20\d{2}$/.test(String(year))],
  ];
}

function masked(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(0, number.length - 10))}${number.slice(-4)}`;
}
