/**
 * Writes and reads the refund of a money request: a separate VoPay transaction that sends an e-transfer to the payer. The
 * payer deposits it with the answer to a question, unless their bank does so automatically. Pure. README.md has the sources.
 * **The answer must reach the payer**: the operator finds it with the refund's attempt, and the merchant passes it on.
 */
import type { RefundAnswer, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, formatUtc, type Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, shownTextOf } from '../kit/provider-json.ts';
import type { VoPayRequest } from './api.ts';
import { listOf, textOf } from './read-fields.ts';
import { stageOf } from './vocabulary.ts';

const TRANSACTION_ID = /^\d{1,18}$/;

export function refundRequest({ payment, reference, money }: RefundOrder): VoPayRequest {
  return {
    verb: 'POST',
    path: '/account/transactions/refund',
    fields: {
      TransactionID: payment.providerReference,
      Amount: formatAmount(money),
      Notes: reference,
      IdempotencyKey: reference,
    },
  };
}

/** VoPay took the refund; the payer has nothing yet. Only this response contains the answer to the question. */
export function readRefund(fields: JsonObject): RefundAnswer | undefined {
  if (!TRANSACTION_ID.test(textOf(fields, 'TransactionID'))) return undefined;
  const answer = shownTextOf(fields, 'InteracQuestionAnswer');
  return answer === ''
    ? { kind: 'pending' }
    : { kind: 'pending', note: `the payer deposits it with the answer ${answer}` };
}

/** Requests the list from a day before the payment to a day after `now`, because VoPay's time zone is unknown. */
export function listRequest({ payment }: RefundOrder, now: Instant): VoPayRequest {
  return {
    verb: 'GET',
    path: '/account/transactions',
    fields: {
      StartDateTime: formatUtc(payment.startedAt - DAY_MS),
      EndDateTime: formatUtc(now + DAY_MS),
      TransactionID: payment.providerReference,
    },
  };
}

/**
 * Returns `not_found` only if the list contains the payment and no possible refund of it. Any transaction that was made from
 * the payment without our reference may be this refund.
 */
export function readListed(
  fields: JsonObject,
  { payment, reference, money }: RefundOrder,
): RefundAnswer | { readonly kind: 'not_found' } {
  const rows = listOf(fields, 'Transactions') ?? [];
  const isPayment = (row: JsonObject) => textOf(row, 'TransactionID') === payment.providerReference;
  const made = rows.filter((row) => !isPayment(row));
  const ours = made.filter((row) => textOf(row, 'Notes') === reference);
  const [refund] = ours;
  if (refund && ours.length === 1) return answerOf(refund, money.minor);
  const isClear = rows.some(isPayment) && made.every((row) => isOwnReference(textOf(row, 'Notes')));
  return isClear && !refund
    ? { kind: 'not_found' }
    : { kind: 'unknown', reason: 'VoPay’s list does not show the refund' };
}

function answerOf(refund: JsonObject, minor: bigint): RefundAnswer {
  if (amountOf(textOf(refund, 'DebitAmount'), 'CAD')?.minor !== minor) {
    return { kind: 'unknown', reason: 'VoPay lists another amount' };
  }
  const status = textOf(refund, 'TransactionStatus');
  switch (stageOf(status)) {
    case 'succeeded':
      return { kind: 'refunded' };
    case 'ended':
      return { kind: 'refused', reason: `${status} ${shownTextOf(refund, 'TransactionFailureReason')}`.trim() };
    case undefined:
      return { kind: 'unknown', reason: `VoPay reports ${status || 'nothing'} about the refund` };
    default:
      return { kind: 'pending' };
  }
}
