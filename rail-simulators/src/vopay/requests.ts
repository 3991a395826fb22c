/** Parses a client's request from form fields and checks it as far as possible without the book. */
import { toCents, toText } from '../kernel/amounts.ts';
import type { Failure } from './errors.ts';

export interface MoneyRequest {
  readonly amount: string;
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly reference: string;
  readonly idempotencyKey: string;
}

export interface PayoutRequest extends MoneyRequest {
  readonly question: string;
  readonly answer: string;
  readonly notes: string;
  readonly lifeDays: number;
}

export interface RefundRequest {
  readonly id: number;
  /** If undefined, the full amount is refunded. */
  readonly amount: string | undefined;
  readonly notes: string;
  readonly idempotencyKey: string;
}

const NEEDED = ['Amount', 'Currency', 'EmailAddress', 'RecipientName'] as const;

export function readMoneyRequest(fields: URLSearchParams): MoneyRequest | Failure {
  return readTransfer(fields, NEEDED, 'MessageForRecipient');
}

const NEEDED_OF_PAYOUT = ['Amount', 'RecipientName', 'EmailAddress', 'Question', 'Answer'] as const;
const USUAL_LIFE_DAYS = 30;

export function readPayout(fields: URLSearchParams): PayoutRequest | Failure {
  const transfer = readTransfer(fields, NEEDED_OF_PAYOUT, 'Memo');
  if ('error' in transfer) return transfer;
  const [answer, days] = [fields.get('Answer') ?? '', fields.get('CancellationPeriod') ?? String(USUAL_LIFE_DAYS)];
  if (!/^[A-Za-z0-9]{3,25}$/.test(answer) || transfer.message.includes(answer)) return { error: 2001, about: 'Answer' };
  if (!/^(?:[1-9]|[12]\d|30)$/.test(days)) return { error: 2001, about: 'CancellationPeriod' };
  const [question, notes] = [fields.get('Question') ?? '', fields.get('Notes') ?? ''];
  if (question.length > 40) return { error: 2001, about: 'Question' };
  return { ...transfer, question, answer, notes, lifeDays: Number(days) };
}

function readTransfer(
  fields: URLSearchParams,
  mandatory: readonly string[],
  messageField: string,
): MoneyRequest | Failure {
  const text = (name: string) => fields.get(name) ?? '';
  const missing = mandatory.find((name) => text(name) === '');
  if (missing !== undefined) return { error: 2000, about: missing };
  const cents = /^\d{1,9}(?:\.|$)/.test(text('Amount')) ? toCents(text('Amount')) : undefined;
  if (cents === undefined) return { error: 2001, about: 'Amount' };
  if ((text('Currency') || 'CAD') !== 'CAD') return { error: 2001, about: 'Currency' };
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text('EmailAddress'))) return { error: 2001, about: 'EmailAddress' };
  return {
    amount: toText(cents),
    email: text('EmailAddress'),
    name: text('RecipientName'),
    message: text(messageField),
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
