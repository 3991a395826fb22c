/**
 * Writes the order of a payment, and reads Token.io's responses and lists. Pure: no network, no clock. vocabulary.ts has the
 * statuses, payment-answer.ts their meaning for an attempt, authentication.ts the signature, refund-messages.ts the refunds,
 * banks.ts the banks. Confirmed by Token.io's OpenAPI document of Payments v2: the URLs, the fields and which of them are
 * required, amounts as strings, the list by `refIds`, a page of at most 200. `request-timeout` is in seconds; after it
 * Token.io responds with INITIATION_PENDING and continues on its own. Errors have the form
 * `{"error":{"errorCode","message","paths"}}` with Field.NotUnique, Field.Expected, Field.Invalid and Field.InvalidFormat.
 * `refId` has at most 18 letters, digits and hyphens; `remittanceInformationPrimary` has at most 35 and appears on the payer's
 * statement. The payer's return repeats `callbackState`. With EMBEDDED_HOSTED_PAGES, Token.io's own page asks for whatever a
 * bank needs, so that no bank login passes through us. Confirmed by its REST description: DELETE of a payment returns the
 * payment. Confirmed by Token.io's documents: the payer returns with `payment-id`, `member-id` and `state`, **not signed**
 * (Payments v1 signed it), and before Token.io has processed the bank's message. Nothing in the return proves a status.
 * **Two equal orders are two payments:** no document promises otherwise, and none says that Field.NotUnique is about `refId`.
 * So the rail sends an order once, and finds one with a lost response by its refId. Not confirmed: that `refId` must be unique
 * (the code reads Field.NotUnique about it as "the payment may exist"). Not confirmed: how soon a payment is listed; which
 * states can be cancelled. Not confirmed: that the repeated creditor names the settlement account or its IBAN. The code
 * rejects another creditor, and accepts a missing creditor.
 */
import { createHash } from 'node:crypto';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asciiText } from '../kit/latin-text.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type Fields, readPlainObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import type { TokenIoConfiguration } from './configuration.ts';
import { euroOf, fieldsOf, listOf, textsOf } from './read-fields.ts';

export const PAYMENTS_PATH = '/v2/payments';
const MOST_LISTED = 10;
const MOST_REF_ID = 18;
const MOST_SECONDARY = 140;
const STATE_LENGTH = 24;

/** Matches only our references, because other systems may use the same member. */
const PAYMENT_ID = /^[A-Za-z0-9:_-]{1,128}$/;
const REDIRECT_MOST = 4_096;

export type Account = Pick<
  TokenIoConfiguration,
  'memberId' | 'settlementAccount' | 'creditor' | 'localInstrument' | 'onBehalfOf' | 'simulated'
>;

/** Returns the reference itself if it is short enough, otherwise a stable hash of it. */
export function refIdOf(reference: string): string {
  if (reference.length <= MOST_REF_ID) return reference;
  return createHash('sha256').update(reference).digest('hex').slice(0, MOST_REF_ID);
}

export function writePayment(order: PaymentOrder, account: Account): string {
  invariant(order.money.currency === 'EUR' && order.money.minor > 0n, 'amount is not a positive EUR amount');
  const secondary = bankText(order.merchantName);
  const initiation = {
    bankId: order.payer.bankId,
    refId: refIdOf(order.reference),
    remittanceInformationPrimary: order.reference,
    ...(secondary === '' ? {} : { remittanceInformationSecondary: secondary }),
    ...onBehalf(account),
    amount: amountOf(order.money),
    localInstrument: account.localInstrument,
    creditor: { virtualAccountId: account.settlementAccount, name: account.creditor.name },
    returnRefundAccount: true,
    callbackUrl: order.returnUrl,
    callbackState: stateOf(order),
    flowType: 'EMBEDDED_HOSTED_PAGES',
  };
  return JSON.stringify({ initiation });
}

/**
 * The payer's return must repeat this value. An attacker cannot guess it, because its source, the return URL, contains the
 * attempt's secret.
 */
function stateOf({ returnUrl }: PaymentOrder): string {
  return createHash('sha256').update(returnUrl).digest('base64url').slice(0, STATE_LENGTH);
}

/** Makes Token.io respond before our own timeout, so that the response still contains the payment. */
export function requestTimeout(seconds: number): Record<string, string> {
  return { 'request-timeout': String(seconds) };
}

/** Returns undefined if the id is not a payment's, because it would lead to a different address. */
export function paymentPath(id: string): string | undefined {
  return PAYMENT_ID.test(id) ? `${PAYMENTS_PATH}/${id}` : undefined;
}

export function paymentsQuery(reference: string, { onBehalfOf }: Account): string {
  const query = new URLSearchParams({ limit: String(MOST_LISTED), refIds: refIdOf(reference) });
  if (onBehalfOf !== '') query.set('onBehalfOfId', onBehalfOf);
  return query.toString();
}

export interface TokenIoPayment {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  /** The reason in a text for the operator. */
  readonly reason: string;
  readonly money: Money;
  /** The payer's next address. Empty if Token.io gives none. */
  readonly redirectUrl: string;
  readonly callbackState: string;
  /** True once the payer's bank has shown that it knows the payment. */
  readonly isKnownToBank: boolean;
  /** The payer's IBAN. Empty if the bank omits it. */
  readonly payerAccount: string;
}

/** Returns undefined if the payment is unreadable, or is not ours to our account. */
export function readPayment(fields: Fields | undefined, account: Account): TokenIoPayment | undefined {
  const initiation = fieldsOf(fields, 'initiation');
  const [id, reference] = [textOf(fields, 'id'), textOf(initiation, 'remittanceInformationPrimary')];
  const money = euroOf(initiation, 'amount');
  const isOurs =
    textOf(fields, 'memberId') === account.memberId &&
    isOwnReference(reference) &&
    textOf(initiation, 'refId') === refIdOf(reference) &&
    isOurAccount(fieldsOf(initiation, 'creditor'), account);
  if (!isOurs || !money || !PAYMENT_ID.test(id)) return undefined;
  const refundAccount = fieldsOf(fieldsOf(fields, 'refundDetails'), 'refundAccount');
  return {
    id,
    reference,
    status: textOf(fields, 'status'),
    reason: shownTextOf(fields, 'statusReasonInformation'),
    money,
    redirectUrl: usableUrl(textOf(fieldsOf(fields, 'authentication'), 'redirectUrl'), account.simulated),
    callbackState: textOf(initiation, 'callbackState'),
    isKnownToBank: textOf(fields, 'bankPaymentId') !== '' || textOf(fields, 'bankPaymentStatus') !== '',
    payerAccount: shownTextOf(refundAccount, 'iban') || shownTextOf(fieldsOf(initiation, 'debtor'), 'iban'),
  };
}

/** Reads the payment in a response about one payment. */
export function readPaymentAnswer(body: Buffer, account: Account): TokenIoPayment | undefined {
  return readPayment(fieldsOf(readPlainObject(body), 'payment'), account);
}

/** Returns the payments with that reference. Undefined if the list is unreadable, or has a different payment under our refId. */
export function readPaymentList(
  body: Buffer,
  reference: string,
  account: Account,
): readonly TokenIoPayment[] | undefined {
  const answer = readPlainObject(body);
  if (!answer || !Array.isArray(answer['payments'])) return undefined;
  const refId = refIdOf(reference);
  const ours = listOf(answer, 'payments').filter(
    (payment) => textOf(fieldsOf(payment, 'initiation'), 'refId') === refId,
  );
  const read = ours.flatMap((payment) => readPayment(payment, account) ?? []);
  return read.length === ours.length && read.every((payment) => payment.reference === reference) ? read : undefined;
}

export interface TokenIoError {
  /** Empty if the code is unreadable. */
  readonly code: string;
  readonly paths: readonly string[];
  readonly reason: string;
}

/** Reads a response with a status other than 200. */
export function readError(status: number, body: Buffer): TokenIoError {
  const error = fieldsOf(readPlainObject(body), 'error');
  const code = shownTextOf(error, 'errorCode');
  const reason = `HTTP ${status} ${code} ${shownTextOf(error, 'message')}`.replace(/ +/g, ' ').trim();
  return { code, paths: textsOf(error, 'paths'), reason };
}

export function amountOf(money: Money): { readonly value: string; readonly currency: string } {
  return { value: formatAmount(money), currency: money.currency };
}

export function onBehalf({ onBehalfOf }: Account): { readonly onBehalfOfId?: string } {
  return onBehalfOf === '' ? {} : { onBehalfOfId: onBehalfOf };
}

/** Returns only letters, digits, spaces and hyphens, which banks pass on. */
function bankText(text: string): string {
  return asciiText(text, /[^A-Za-z0-9 -]+/g, MOST_SECONDARY);
}

function isOurAccount(named: Fields | undefined, { settlementAccount, creditor }: Account): boolean {
  const [account, iban] = [textOf(named, 'virtualAccountId'), textOf(named, 'iban').replaceAll(' ', '').toUpperCase()];
  return (account === '' || account === settlementAccount) && (iban === '' || iban === creditor.iban);
}

function usableUrl(url: string, simulated: boolean): string {
  const protocol = url.length > REDIRECT_MOST ? undefined : URL.parse(url)?.protocol;
  return protocol === 'https:' || (simulated && protocol === 'http:') ? url : '';
}

/** Returns how many full seconds of our own timeout Token.io may use. */
export function secondsBefore(timeoutMs: Instant): number {
  return Math.max(1, Math.floor((timeoutMs * 0.6) / SECOND_MS));
}
