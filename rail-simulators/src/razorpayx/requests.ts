/** Parses a client's payout request with its beneficiary, and checks it as far as possible without the book. */
import { hash } from 'node:crypto';
import { asFields, type Fields, parseJson } from '../kernel/fields.ts';

export interface PayoutRequest {
  readonly idempotencyKey: string;
  /** A digest of the body's bytes: a repeat of the key must have the same body. */
  readonly bodyDigest: string;
  /** The amount in paise. */
  readonly amount: number;
  readonly mode: string;
  readonly purpose: string;
  readonly reference: string;
  readonly narration: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly name: string;
  readonly ifsc: string;
  readonly account: string;
  readonly waitsForMoney: boolean;
}

type Rule = readonly [field: string, holds: (value: unknown, request: Fields) => boolean, description: string];

const MOST_IMPS = 50_000_000;
const PURPOSES = ['refund', 'cashback', 'payout', 'salary', 'utility bill', 'vendor bill'];
const NAME_SIGNS = /^[A-Za-z0-9 ’_/().-]+$/;

const isText = (shape: RegExp) => (value: unknown) => typeof value === 'string' && shape.test(value);
const isOptionalText = (shape: RegExp) => (value: unknown) => value === undefined || isText(shape)(value);
const isName = (least: number, most: number) => (value: unknown) =>
  typeof value === 'string' && value.length >= least && value.length <= most && NAME_SIGNS.test(value);

/** True for up to fifteen notes of up to 256 characters each. */
function areNotes(value: unknown): boolean {
  const notes = value === undefined ? [] : Object.values(asFields(value));
  return notes.length <= 15 && notes.every(isText(/^.{1,256}$/));
}

/** The rules in the order of checking. */
const RULES: readonly Rule[] = [
  ['amount', (value) => Number.isInteger(value) && Number(value) >= 100, 'The amount must be at least 100.'],
  ['currency', (value) => value === 'INR', 'The currency must be INR.'],
  ['mode', (value) => ['NEFT', 'RTGS', 'IMPS'].includes(String(value)), 'The selected mode is invalid.'],
  [
    'amount',
    (value, { mode }) => mode !== 'IMPS' || Number(value) <= MOST_IMPS,
    'The amount must be at most 50000000 by IMPS.',
  ],
  ['purpose', (value) => PURPOSES.includes(String(value)), 'The purpose is invalid.'],
  [
    'queue_if_low_balance',
    (value) => value === undefined || typeof value === 'boolean',
    'The queue if low balance field must be true or false.',
  ],
  ['reference_id', isOptionalText(/^.{0,40}$/), 'The reference id may not be longer than 40 characters.'],
  ['narration', isOptionalText(/^[A-Za-z0-9 ]{0,30}$/), 'The narration is invalid.'],
  ['notes', areNotes, 'The notes are invalid.'],
  ['fund_account.account_type', (value) => value === 'bank_account', 'The account type is invalid.'],
  ['fund_account.bank_account.name', isName(3, 120), 'The name is invalid.'],
  ['fund_account.bank_account.ifsc', isText(/^.{11}$/), 'The IFSC must be 11 characters.'],
  ['fund_account.bank_account.account_number', isText(/^[A-Za-z0-9]{5,35}$/), 'The account number format is invalid.'],
  ['fund_account.contact.name', isName(3, 50), 'The contact name is invalid.'],
];

export interface Invalid {
  readonly invalidField: string;
  readonly description: string;
}

export function readRequest(idempotencyKey: string, body: Buffer, accountNumber: string): PayoutRequest | Invalid {
  const fields = asFields(parseJson(body));
  if (fields['account_number'] !== accountNumber)
    return { invalidField: 'account_number', description: 'The account number field is required' };
  const broken = RULES.find(([field, holds]) => !holds(valueAt(fields, field), fields));
  if (broken !== undefined) return { invalidField: broken[0], description: broken[2] };
  const text = (path: string) => String(valueAt(fields, path) ?? '');
  return {
    idempotencyKey,
    bodyDigest: hash('sha256', body, 'base64url'),
    amount: Number(fields['amount']),
    mode: text('mode'),
    purpose: text('purpose'),
    reference: text('reference_id'),
    narration: text('narration'),
    notes: asFields(fields['notes']) as Record<string, string>,
    name: text('fund_account.bank_account.name'),
    ifsc: text('fund_account.bank_account.ifsc'),
    account: text('fund_account.bank_account.account_number'),
    waitsForMoney: fields['queue_if_low_balance'] === true,
  };
}

function valueAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => asFields(value)[name], fields);
}
