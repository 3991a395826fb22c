/**
 * Parses a client's payout request: required fields, formats, and the parts that may be stored. A card number never leaves
 * this file.
 */
import { toCents } from '../kernel/amounts.ts';
import type { Fields } from '../kernel/fields.ts';
import type { PayoutType } from './book.ts';

export interface Instruction {
  readonly type: PayoutType;
  readonly reference: string;
  readonly kopecks: bigint;
  /** The storable form of a card number: its first two and last four digits. */
  readonly beneficiary: string;
  readonly serviceUrl: string;
}

export interface Refusal {
  readonly reasonCode: number;
}

type Check = readonly [reasonCode: number, holds: (fields: Fields) => boolean];

const isGiven = (fields: Fields, name: string) => typeof fields[name] === 'string' && fields[name] !== '';
const given = (...names: readonly string[]): Check => [1115, (fields) => names.every((name) => isGiven(fields, name))];

const OF_EVERY: readonly Check[] = [
  given('orderReference', 'amount', 'currency', 'apiVersion'),
  [1109, ({ orderReference }) => String(orderReference).length <= 64],
  [1109, ({ apiVersion }) => apiVersion === '1'],
  [1110, ({ currency }) => currency === 'UAH'],
  [1130, ({ amount }) => toCents(String(amount)) !== undefined],
];

const OF_TYPE: Readonly<Record<PayoutType, readonly Check[]>> = {
  P2P_CREDIT: [
    [1115, (fields) => isGiven(fields, 'cardBeneficiary') || isGiven(fields, 'rec2Token')],
    [1109, (fields) => !(isGiven(fields, 'cardBeneficiary') && isGiven(fields, 'rec2Token'))],
    [1116, (fields) => !isGiven(fields, 'rec2Token')],
    [1105, ({ cardBeneficiary }) => isCardNumber(String(cardBeneficiary))],
  ],
  P2P_ACCOUNT: [
    given('iban', 'okpo', 'accountName'),
    [1109, ({ iban }) => isIban(String(iban))],
    [1109, ({ okpo }) => /^[\p{L}\d]{8,10}$/u.test(String(okpo))],
  ],
};

export function readInstruction(type: PayoutType, fields: Fields): Instruction | Refusal {
  const failed = [...OF_EVERY, ...OF_TYPE[type]].find(([, holds]) => !holds(fields));
  if (failed !== undefined) return { reasonCode: failed[0] };
  return {
    type,
    reference: String(fields['orderReference']),
    kopecks: toCents(String(fields['amount'])) ?? 0n,
    beneficiary: type === 'P2P_CREDIT' ? maskCard(String(fields['cardBeneficiary'])) : String(fields['iban']),
    serviceUrl: isGiven(fields, 'serviceUrl') ? String(fields['serviceUrl']) : '',
  };
}

function maskCard(number: string): string {
  return `${number.slice(0, 2)}****${number.slice(-4)}`;
}

/** Checks the Luhn digit. */
function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const digits = [...number].reverse().map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2));
  return digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0;
}

function isIban(iban: string): boolean {
  if (!/^UA\d{27}$/.test(iban)) return false;
  // U is 30, A is 10, and the country code with its check digits moves to the end.
  return BigInt(`${iban.slice(4)}3010${iban.slice(2, 4)}`) % 97n === 1n;
}
