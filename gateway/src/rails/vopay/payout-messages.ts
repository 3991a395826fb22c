/**
 * Writes payouts by Interac e-transfer and reads VoPay's responses (`interac/bulk-payout`, which has one recipient in spite of
 * its name). Pure. Only the recipient and the merchant may know the answer to the question. README.md has the sources.
 */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, balanceOf, type JsonObject, shownTextOf } from '../kit/provider-json.ts';
import { beneficiaryField, type Declined, declined } from '../kit/rail-answers.ts';
import type { VoPayRequest } from './api.ts';
import { printable } from './protocol.ts';
import { textOf } from './read-fields.ts';
import { normalised, type PayoutEnding, payoutEndingOf, type Stage, stageOf } from './vocabulary.ts';

const MARK = 'P';
const TRANSACTION_ID = /^\d{1,18}$/;
const MOST_NAME = 80;
const ANSWER_DIGITS = 6;
const QUESTION = `Last ${ANSWER_DIGITS} digits of your phone number?`;
/** The longest cancellation period that Interac allows. */
export const CANCELLATION_DAYS = 30;

/** Equal orders always give equal requests. The result is a decline if the recipient could never deposit the payout. */
export function payoutRequest(order: PayoutOrder): Result<VoPayRequest, Declined> {
  const { reference, remittance, money } = order;
  invariant(money.currency === 'CAD' && money.minor > 0n, 'amount is not a positive CAD amount');
  const [account, email] = [beneficiaryField(order, 'account'), beneficiaryField(order, 'customs_email')];
  const answer = beneficiaryField(order, 'customs_phone').replace(/\D/g, '').slice(-ANSWER_DIGITS);
  if (answer.length < ANSWER_DIGITS) {
    return fail(declined('invalid_beneficiary', 'customs_phone: the security answer consists of its last digits'));
  }
  return ok({
    verb: 'POST',
    path: '/interac/bulk-payout',
    fields: {
      Amount: formatAmount(money),
      Currency: money.currency,
      RecipientName: printable(beneficiaryField(order, 'full_name'), MOST_NAME),
      EmailAddress: account.includes('@') ? account : email,
      Question: QUESTION,
      Answer: answer,
      CancellationPeriod: String(CANCELLATION_DAYS),
      Notes: remittance,
      ClientReferenceNumber: clientReferenceOf(reference),
      IdempotencyKey: reference,
    },
  });
}

export function clientReferenceOf(reference: string): string {
  return `${MARK}${reference}`;
}

/** Returns undefined if the reference is not of a payout of ours. */
export function referenceOf(clientReference: string): string | undefined {
  const reference = clientReference.slice(MARK.length);
  return clientReference.startsWith(MARK) && isOwnReference(reference) ? reference : undefined;
}

export function payoutLookUp(reference: string): VoPayRequest {
  return {
    verb: 'GET',
    path: '/interac/bulk-payout/transaction',
    fields: { ClientReferenceNumber: clientReferenceOf(reference) },
  };
}

export type AskedPayout = Pick<PayoutOrder, 'reference' | 'money'>;

export interface FoundPayout {
  readonly transactionId: string;
  readonly stage: Stage;
  /** Meaningful only for a payout that ended without a payment. */
  readonly ending: PayoutEnding;
}

/** Returns undefined if the response is unreadable or about another payout. */
export function readFoundPayout(fields: JsonObject, { reference, money }: AskedPayout): FoundPayout | undefined {
  const transactionId = textOf(fields, 'TransactionID');
  const status = textOf(fields, 'TransactionStatus');
  const stage = stageOf(status);
  const amount = textOf(fields, 'Currency') === 'CAD' ? amountOf(textOf(fields, 'Amount'), 'CAD') : undefined;
  const isOurs =
    textOf(fields, 'ClientReferenceNumber') === clientReferenceOf(reference) &&
    TRANSACTION_ID.test(transactionId) &&
    amount !== undefined &&
    amount.minor === money.minor;
  if (!isOurs || !stage) return undefined;
  return { transactionId, stage, ending: payoutEndingOf(normalised(status), shownTextOf(fields, 'FailureReason')) };
}

export function balanceRequest(): VoPayRequest {
  return { verb: 'GET', path: '/account/balance', fields: { Currency: 'CAD' } };
}

/** Returns undefined if the response is unreadable. */
export function readAvailable(fields: JsonObject): Money | undefined {
  return textOf(fields, 'Currency') === 'CAD' ? balanceOf(textOf(fields, 'AvailableFunds'), 'CAD') : undefined;
}
