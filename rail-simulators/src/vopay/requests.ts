/** What a client asks for, read from form fields and checked as far as it can be without the book. */
import { toCents, toText } from './amounts.ts';
import type { Failure } from './errors.ts';

export interface MoneyRequest {
  readonly amount: string;
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly reference: string;
  readonly idempotencyKey: string;
}

export interface RefundRequest {
  readonly id: number;
  /** Undefined: all of it. */
  readonly amount: string | undefined;
  readonly notes: string;
  readonly idempotencyKey: string;
}

const needed = ['Amount', 'Currency', 'EmailAddress', 'RecipientName'] as const;

export function readMoneyRequest(fields: URLSearchParams): MoneyRequest | Failure {
  const text = (name: string) => fields.get(name) ?? '';
  const missing = needed.find((name) => text(name) === '');
  if (missing !== undefined) return { error: 2000, about: missing };
  const cents = toCents(text('Amount'));
  if (cents === undefined) return { error: 2001, about: 'Amount' };
  if (text('Currency') !== 'CAD') return { error: 2001, about: 'Currency' };
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text('EmailAddress'))) return { error: 2001, about: 'EmailAddress' };
  return {
    amount: toText(cents),
    email: text('EmailAddress'),
    name: text('RecipientName'),
    message: text('MessageForRecipient'),
    reference: text('ClientReferenceNumber'),
    idempotencyKey: text('IdempotencyKey'),
  };
}

export function readRefund(fields: URLSearchParams): RefundRequest | Failure {
  const id = readId(fields);
  if (typeof id !== 'number') return id;
  const asked = fields.get('Amount');
  const cents = asked === null ? undefined : toCents(asked);
  if (asked !== null && cents === undefined) return { error: 2001, about: 'Amount' };
  return {
    id,
    amount: cents === undefined ? undefined : toText(cents),
    notes: fields.get('Notes') ?? '',
    idempotencyKey: fields.get('IdempotencyKey') ?? '',
  };
}

export function readId(fields: URLSearchParams): number | Failure {
  const text = fields.get('TransactionID') ?? '';
  if (text === '') return { error: 2000, about: 'TransactionID' };
  return /^\d{1,15}$/.test(text) ? Number(text) : { error: 2001, about: 'TransactionID' };
}
