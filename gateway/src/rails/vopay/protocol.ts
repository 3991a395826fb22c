/**
 * Writes Interac money requests and their cancellation, and reads VoPay's responses. Pure: no network, no clock.
 * authentication.ts has our credentials, vocabulary.ts the stages, refund-messages.ts the refunds. Confirmed: see README.md.
 */
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { messageText } from '../kit/message-text.ts';
import { amountOf, type JsonObject, shownTextOf } from '../kit/provider-json.ts';
import type { VoPayRequest } from './api.ts';
import { textOf } from './read-fields.ts';
import { type Stage, stageOf } from './vocabulary.ts';

const TRANSACTION_ID = /^\d{1,18}$/;
const MOST_NAME = 80;
const MOST_MESSAGE = 140;

/** Equal orders always give equal requests. */
export function moneyRequest(order: PaymentOrder): VoPayRequest {
  const { reference, money } = order;
  invariant(money.currency === 'CAD' && money.minor > 0n, 'amount is not a positive CAD amount');
  return {
    verb: 'POST',
    path: '/interac/money-request',
    fields: {
      Amount: formatAmount(money),
      Currency: money.currency,
      EmailAddress: order.payer.email,
      RecipientName: printable(recipientName(order), MOST_NAME),
      MessageForRecipient: printable(messageText(order), MOST_MESSAGE),
      ClientReferenceNumber: reference,
      IdempotencyKey: reference,
    },
  };
}

/** Interac sends its message to this address, with this name. The name in an unsigned form is unproved, so the rail omits it. */
function recipientName({ signedOrder, payer }: PaymentOrder): string {
  return signedOrder === '' ? payer.email : `${payer.firstName} ${payer.lastName}`;
}

/** Removes control characters and markup, which Interac's messages do not allow. */
export function printable(text: string, most: number): string {
  return text
    .replace(/[\p{C}<>{}[\]%&#\\"|^~]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim();
}

export interface OpenedRequest {
  readonly transactionId: string;
  readonly stage: Stage | undefined;
  /** Empty if VoPay processes the request immediately. */
  readonly flag: string;
}

/** Returns undefined if the response lacks a field of a money request's response. */
export function readOpened(fields: JsonObject): OpenedRequest | undefined {
  const transactionId = textOf(fields, 'TransactionID');
  if (!TRANSACTION_ID.test(transactionId)) return undefined;
  const flagged = textOf(fields, 'Flagged');
  const flag = flagged === 'false' ? '' : flagged;
  return { transactionId, stage: stageOf(textOf(fields, 'TransactionStatus')), flag };
}

/** VoPay takes a payer's second attempt for a duplicate. Our own reference proves that it is not. */
export function isDuplicateFlag(flag: string): boolean {
  return /duplicate/i.test(flag);
}

/** Queries by VoPay's number if it is known, otherwise by our reference. */
export function lookUp({ reference, providerReference }: PaymentOrder): VoPayRequest {
  return {
    verb: 'GET',
    path: '/interac/money-request/transaction',
    fields: providerReference === '' ? { ClientReferenceNumber: reference } : { TransactionID: providerReference },
  };
}

export interface FoundRequest {
  readonly transactionId: string;
  readonly stage: Stage;
  /** The status in VoPay's own words. */
  readonly status: string;
  readonly failureReason: string;
  readonly money: Money;
  readonly payerEmail: string;
}

/** Returns undefined if the response is unreadable or about another money request. */
export function readFound(fields: JsonObject, order: PaymentOrder): FoundRequest | undefined {
  const transactionId = textOf(fields, 'TransactionID');
  const isOurs =
    textOf(fields, 'ClientReferenceNumber') === order.reference &&
    TRANSACTION_ID.test(transactionId) &&
    (order.providerReference === '' || order.providerReference === transactionId);
  const status = textOf(fields, 'TransactionStatus');
  const stage = stageOf(status);
  const money = textOf(fields, 'Currency') === 'CAD' ? amountOf(textOf(fields, 'Amount'), 'CAD') : undefined;
  if (!isOurs || !stage || !money) return undefined;
  const failureReason = shownTextOf(fields, 'FailureReason');
  return { transactionId, stage, status, failureReason, money, payerEmail: shownTextOf(fields, 'Email') };
}

export function confirmation(transactionId: string): VoPayRequest {
  return { verb: 'POST', path: '/account/transaction/confirm', fields: { TransactionID: transactionId } };
}

const CALLING_BACK = {
  unsent: '/account/transactions/cancel',
  waiting: '/interac/money-request/transaction/request-cancellation',
} as const;

export function cancellation(transactionId: string, stage: keyof typeof CALLING_BACK): VoPayRequest {
  return { verb: 'POST', path: CALLING_BACK[stage], fields: { TransactionID: transactionId } };
}
