/**
 * Being paid through VoPay: the Interac money request that has the payer's bank send him a message, what is read of one, and
 * how one is called back. Pure: no network, no clock. Who we are is in authentication.ts, failures in errors.ts, the words for
 * where it stands in statuses.ts, giving back in refunds.ts.
 *
 * Confirmed by VoPay's description of its interface (version 2): the addresses, the fields and which of them are needed
 * (Amount, Currency, EmailAddress, RecipientName, who is the payer), the answers; ClientReferenceNumber finds a transaction
 * where it is unique; a request that was not processed yet is cancelled at once (`account/transactions/cancel`), one that was
 * sent is called back (`request-cancellation`), which fails once the payer has accepted and costs a fee; a flagged one is not
 * processed until it is confirmed. By its guide: the same address, amount and currency within three hours is flagged as a
 * duplicate. By its description: a key that succeeded before is given the same answer again; by its guide: it is refused.
 *
 * Not confirmed: how long texts may be and which characters they take; whether a money request can be fulfilled with
 * another amount (so what is told is counted); how long it lives (there is no field for it: ours ends by calling it back).
 */
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { messageText } from '../kit/message-text.ts';
import { amountOf, type JsonObject, shownTextOf } from '../kit/provider-json.ts';
import { textOf } from './read-json.ts';
import { type Stage, stageOf } from './statuses.ts';
import type { VoPayRequest } from './vopay-api.ts';

const TRANSACTION_ID = /^\d{1,18}$/;
const MOST_NAME = 80;
const MOST_MESSAGE = 140;

/** The same order gives the same request, for ever. */
export function moneyRequest(order: PaymentOrder): VoPayRequest {
  const { reference, money } = order;
  invariant(money.currency === 'CAD' && money.minor > 0n, 'VoPay is asked for Canadian dollars here');
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

/** Interac writes to this address with this name, so a name that anybody may have chosen is left out. */
function recipientName({ signedOrder, payer }: PaymentOrder): string {
  return signedOrder === '' ? payer.email : `${payer.firstName} ${payer.lastName}`;
}

/** Interac's messages take no mark-up: neither control characters nor the signs that begin it. */
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
  /** Empty: it is processed as it is. */
  readonly flag: string;
}

/** Undefined: the answer has not what a money request's answer has. */
export function readOpened(fields: JsonObject): OpenedRequest | undefined {
  const transactionId = textOf(fields, 'TransactionID');
  if (!TRANSACTION_ID.test(transactionId)) return undefined;
  const flagged = textOf(fields, 'Flagged');
  const flag = flagged === 'false' ? '' : flagged;
  return { transactionId, stage: stageOf(textOf(fields, 'TransactionStatus')), flag };
}

/** VoPay takes for a duplicate what a payer tries once more; our own reference says that it is none. */
export function isDuplicateFlag(flag: string): boolean {
  return /duplicate/i.test(flag);
}

/** By VoPay's number where it is known; ours finds it as well. */
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
  /** As VoPay writes it. */
  readonly status: string;
  readonly failureReason: string;
  readonly money: Money;
  readonly payerEmail: string;
}

/** Undefined: it speaks of something else, or not so that it can be read. */
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
