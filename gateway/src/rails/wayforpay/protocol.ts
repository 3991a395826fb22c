/**
 * Paying out through WayForPay: the order to a card (P2P_CREDIT) or to an IBAN (P2P_ACCOUNT), the question what became of it
 * (CHECK_STATUS), and what is said of an order, in answers and callbacks alike. Pure: no network, no clock. Signatures are in
 * signature.ts, words and numbers in vocabulary.ts, the list and the balance in queries.ts.
 *
 * Confirmed by WayForPay's pages: one address; the fields of the three requests and which of them are needed; hryvnias, with a
 * point; cards of natural persons and accounts in Ukraine only; the fields of CHECK_STATUS's answer; that an orderReference is
 * unique and a second one is answered 1112, an unknown one 1127. By public clients only: that failures come with HTTP 200, the
 * fields of the answers to the two payouts, that a refused request may be answered by a code and its text alone, unsigned.
 *
 * Not confirmed: that CHECK_STATUS answers for payouts (its description speaks of orders in general; were it to know none,
 * 1112 keeps a second sending from paying again); whether an order that was refused, for want of float for instance, uses its
 * reference up; how soon an order is found; what a wrong credential is answered with by HTTP. So an answer of another HTTP
 * status proves nothing, 1112 means that WayForPay has the order, and a refusal without a status is believed only after
 * CHECK_STATUS has said that there is no such order (payout-rail.ts).
 *
 * Names, phone and e-mail of a card's recipient are optional, and not sent. P2P_ACCOUNT needs `okpo`, the recipient's number as
 * a tax payer: that is the INN of method 34, as it came; whether a passport in its place is taken, and whether a private
 * person's account is, WayForPay's page does not say. `description` is optional and left out: one client signs it.
 */
import type { PayoutOrder, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { beneficiaryField } from '../kit/beneficiary-field.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { declined, unknown } from '../kit/payout-answers.ts';
import { amountOf, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import type { WayForPayAccount, WayForPayConfiguration } from './configuration.ts';
import { isOrderSigned, plainNumber, SIGNED, type SignedFields, writeSigned } from './signature.ts';
import { DONE, isAboutRequest, isReasonToDecline, reasonOf, shownReason, stateOf } from './vocabulary.ts';

export const API_PATH = '/api';
/** Of everything that we send to WayForPay. */
export const HEADERS = { 'content-type': 'application/json;charset=utf-8' };

const TO_IBAN = 34;
export const WAYFORPAY_METHODS: ReadonlySet<number> = new Set([1, 16, TO_IBAN]);

/** The signed JSON of an order, card number included: for the wire and nothing else. */
export function writePayout(order: PayoutOrder, configuration: WayForPayConfiguration): string {
  const { reference, method, money } = order;
  invariant(money.currency === 'UAH' && money.minor > 0n, 'WayForPay pays out hryvnias');
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

/** What WayForPay says of one order of our account, and has signed. */
export interface Statement {
  readonly orderReference: string;
  readonly transactionStatus: string;
  readonly reasonCode: string;
  readonly money: Money;
}

/**
 * - `order`: where it stands.
 * - `request`: what was asked could not be done; of no order is anything said.
 * - `nothing`: no answer that the pages describe.
 */
export type Said =
  | { readonly kind: 'order'; readonly statement: Statement }
  | { readonly kind: 'request'; readonly reasonCode: string }
  | { readonly kind: 'nothing'; readonly reason: string };

const REASON_CODE = /^\d{4}$/;

export function readAnswer(status: number, body: Buffer, account: WayForPayAccount): Said {
  if (status !== 200) return nothing(`HTTP ${status}`);
  const fields = readObject(body);
  const reasonCode = textOf(fields, 'reasonCode');
  if (!fields || !REASON_CODE.test(reasonCode)) return nothing('the answer is none of WayForPay’s');
  const transactionStatus = textOf(fields, 'transactionStatus');
  const isRefusal = stateOf(transactionStatus) === 'declined' && isAboutRequest(reasonCode);
  if (transactionStatus === '' || isRefusal) return { kind: 'request', reasonCode };
  if (!isOrderSigned(fields, account.secretKey)) return nothing('the answer is not signed by WayForPay');
  const statement = readStatement(fields, account);
  return statement ? { kind: 'order', statement } : nothing('the answer is about no order of our account');
}

/** Undefined: not about an order of ours, or not so that it can be read. Whether it is signed is isOrderSigned's. */
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

/** What the statement proves of the payout that it is about. */
export function answerOf({ transactionStatus, reasonCode }: Statement): Exclude<RailStatus, { kind: 'not_found' }> {
  const unclear = unknown(`WayForPay’s status and its code ${reasonCode} do not fit`);
  if (isAboutRequest(reasonCode)) return unclear;
  switch (stateOf(transactionStatus)) {
    case 'executed':
      return reasonCode === DONE ? { kind: 'executed' } : unclear;
    case 'declined':
      return isReasonToDecline(reasonCode) ? declinedFor(reasonCode) : unclear;
    case 'expired':
      return declined('54', 'WayForPay’s time for it ran out');
    case 'reversed':
      return { kind: 'reversed', reason: 'returned to us by WayForPay' };
    case 'pending':
      return { kind: 'pending' };
    case undefined:
      return unknown('WayForPay’s status is not one of a payout');
  }
}

export function declinedFor(reasonCode: string) {
  return declined(reasonOf(reasonCode)?.code ?? '50', shownReason(reasonCode));
}

const nothing = (reason: string): Said => ({ kind: 'nothing', reason });
