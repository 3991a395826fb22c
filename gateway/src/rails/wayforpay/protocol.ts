/**
 * Writes payouts to a card (P2P_CREDIT) or to an IBAN (P2P_ACCOUNT) and the query about their outcome (CHECK_STATUS). Reads
 * statements about an order, in responses and callbacks. Pure: no network, no clock. signature.ts has the signatures,
 * vocabulary.ts the statuses and reasons, refusals.ts the codes about a request, queries.ts the list and the balance.
 * Confirmed by WayForPay's pages: one URL; the fields of the three requests and the required ones; hryvnias with a decimal
 * point; cards of natural persons and accounts in Ukraine only; the fields of CHECK_STATUS's response; an orderReference is
 * unique. WayForPay returns 1112 for a second payout and 1127 for an unknown payout. Confirmed by public clients only:
 * failures come with HTTP 200; the fields of the responses to both payouts; a rejected request may have an unsigned response
 * with only a code and its text. Not confirmed: that CHECK_STATUS supports payouts. Its description speaks of orders in
 * general. If it knew no payouts, 1112 would keep a repetition from paying again. Not confirmed: whether a rejected order, for
 * example for a short float, uses up its reference; how soon an order is found; the HTTP status for a wrong credential. So a
 * response with another HTTP status does not prove anything, and 1112 means that WayForPay has the order. A rejection without
 * a status counts only after CHECK_STATUS found no such order (payout-rail.ts). A card recipient's name, phone and email are
 * optional, and not sent. P2P_ACCOUNT requires `okpo`, the recipient's taxpayer number. This is the INN of method 34,
 * unchanged. WayForPay's page does not say whether it accepts a passport in its place, or a private person's account.
 * `description` is optional and omitted, because one client signs it.
 */
import type { PayoutOrder, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import { beneficiaryField, declined, unknown } from '../kit/rail-answers.ts';
import type { WayForPayAccount, WayForPayConfiguration } from './configuration.ts';
import { isAboutRequest } from './refusals.ts';
import { isOrderSigned, plainNumber, SIGNED, type SignedFields, writeSigned } from './signature.ts';
import { DONE, declineReasonOf, isReasonToDecline, shownReason, stateOf } from './vocabulary.ts';

export const API_PATH = '/api';
/** The headers of every request to WayForPay. */
export const HEADERS = { 'content-type': 'application/json;charset=utf-8' };

/** The payout method with an IBAN. The others pay to a card. */
const TO_IBAN = 34;

/** Returns the signed JSON of an order, including the card number. Only the request may contain it. */
export function writePayout(order: PayoutOrder, configuration: WayForPayConfiguration): string {
  const { reference, method, money } = order;
  invariant(money.currency === 'UAH' && money.minor > 0n, 'amount is not a positive UAH amount');
  const transactionType = method === TO_IBAN ? 'P2P_ACCOUNT' : 'P2P_CREDIT';
  const fields = {
    transactionType,
    merchantAccount: configuration.merchantAccount,
    orderReference: reference,
    amount: plainNumber(formatAmount(money)),
    currency: money.currency,
    ...(transactionType === 'P2P_ACCOUNT' ? accountOf(order) : cardOf(order)),
    apiVersion: '1',
    serviceUrl: configuration.serviceUrl,
  };
  return writeSigned(fields, SIGNED[transactionType], configuration.secretKey);
}

function cardOf(order: PayoutOrder): SignedFields {
  return { cardBeneficiary: beneficiaryField(order, 'account') };
}

function accountOf(order: PayoutOrder): SignedFields {
  return {
    iban: beneficiaryField(order, 'account'),
    okpo: beneficiaryField(order, 'customs_inn'),
    accountName: beneficiaryField(order, 'full_name'),
  };
}

export function writeStatusQuery(orderReference: string, { merchantAccount, secretKey }: WayForPayAccount): string {
  const fields = { transactionType: 'CHECK_STATUS', merchantAccount, orderReference, apiVersion: '1' };
  return writeSigned(fields, SIGNED.CHECK_STATUS, secretKey);
}

/** WayForPay's signed statement about one order of our account. */
export interface Statement {
  readonly orderReference: string;
  readonly transactionStatus: string;
  readonly reasonCode: string;
  readonly money: Money;
}

/**
 * - `order`: the order's status.
 * - `request`: WayForPay rejected the request, which says nothing about an order.
 * - `nothing`: a response that the pages do not describe.
 */
export type WayForPayAnswer =
  | { readonly kind: 'order'; readonly statement: Statement }
  | { readonly kind: 'request'; readonly reasonCode: string }
  | { readonly kind: 'nothing'; readonly reason: string };

const REASON_CODE = /^\d{4}$/;

export function readAnswer(status: number, body: Buffer, account: WayForPayAccount): WayForPayAnswer {
  if (status !== 200) return nothing(`HTTP ${status}`);
  const fields = readObject(body);
  const reasonCode = textOf(fields, 'reasonCode');
  if (!fields || !REASON_CODE.test(reasonCode)) return nothing('the response does not come from WayForPay');
  const transactionStatus = textOf(fields, 'transactionStatus');
  const isRefusal = stateOf(transactionStatus) === 'declined' && isAboutRequest(reasonCode);
  if (transactionStatus === '' || isRefusal) return { kind: 'request', reasonCode };
  if (!isOrderSigned(fields, account.secretKey)) return nothing('the response is not signed by WayForPay');
  const statement = readStatement(fields, account);
  return statement ? { kind: 'order', statement } : nothing('the response is not about an order of our account');
}

/** Returns undefined if the statement is unreadable or not about an order of ours. isOrderSigned verifies the signature. */
export function readStatement(fields: JsonObject, { merchantAccount }: WayForPayAccount): Statement | undefined {
  const orderReference = textOf(fields, 'orderReference');
  const reasonCode = textOf(fields, 'reasonCode');
  const money = textOf(fields, 'currency') === 'UAH' ? amountOf(textOf(fields, 'amount'), 'UAH') : undefined;
  const isReadable =
    textOf(fields, 'merchantAccount') === merchantAccount &&
    isOwnReference(orderReference) &&
    REASON_CODE.test(reasonCode);
  return isReadable && money
    ? { orderReference, transactionStatus: textOf(fields, 'transactionStatus'), reasonCode, money }
    : undefined;
}

/** Returns the proof in a statement for its payout. */
export function answerOf({ transactionStatus, reasonCode }: Statement): Exclude<RailStatus, { kind: 'not_found' }> {
  const unclear = unknown(`WayForPay’s status and its code ${reasonCode} contradict each other`);
  if (isAboutRequest(reasonCode)) return unclear;
  switch (stateOf(transactionStatus)) {
    case 'executed':
      return reasonCode === DONE ? { kind: 'executed' } : unclear;
    case 'declined':
      return isReasonToDecline(reasonCode) ? declinedFor(reasonCode) : unclear;
    case 'expired':
      return declined('expired', 'it expired at WayForPay');
    case 'reversed':
      return { kind: 'reversed', reason: 'returned to us by WayForPay' };
    case 'pending':
      return { kind: 'pending' };
    case undefined:
      return unknown('WayForPay’s status does not belong to a payout');
  }
}

export function declinedFor(reasonCode: string) {
  return declined(declineReasonOf(reasonCode)?.blockedReason ?? 'unspecified', shownReason(reasonCode));
}

const nothing = (reason: string): WayForPayAnswer => ({ kind: 'nothing', reason });
