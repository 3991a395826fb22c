/**
 * Payments at Token.io: the order to initiate one, and what its answers and lists say. Pure: no network, no clock. What a
 * status means is in vocabulary.ts, what an answer means for an attempt in payment-answer.ts, how a request is signed in
 * request-token.ts, refunds in refunds.ts, banks in banks.ts.
 *
 * Confirmed by Token.io's OpenAPI document of Payments v2: the addresses, the fields and which of them are needed, amounts as
 * texts, the list by `refIds`, a page of at most 200, `request-timeout` in seconds (after it Token.io answers
 * INITIATION_PENDING and goes on by itself), errors as `{"error":{"errorCode","message","paths"}}` with Field.NotUnique,
 * Field.Expected, Field.Invalid and Field.InvalidFormat; `refId` of at most 18 letters, digits and hyphens and
 * `remittanceInformationPrimary` of at most 35, which the payer's statement shows; `callbackState` that comes back with the
 * payer; EMBEDDED_HOSTED_PAGES, by which Token.io's own page asks for whatever a bank wants to know, so that no log-in of a
 * bank passes through us. By its REST description: DELETE of a payment, answered by the payment. By Token.io's documents: the
 * payer comes back with `payment-id`, `member-id` and `state`, **not signed** (Payments v1 signed it), and before Token.io has
 * worked off what the bank told; nothing in it proves a status.
 *
 * **The same order twice is two payments:** no document promises otherwise, and none says that `refId` is what
 * Field.NotUnique is about. So a payment is sent for once, and one whose answer was lost is looked for by its refId.
 *
 * Not confirmed: that `refId` has to be unique (Field.NotUnique about it is taken for "it may be there already"); how soon
 * a payment is listed; which states can be cancelled; that the echoed creditor names the settlement account or its IBAN
 * (another one is refused, none is not).
 */
import { createHash } from 'node:crypto';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type Fields, readPlainObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import type { TokenIoConfiguration } from './configuration.ts';
import { euroOf, fieldsOf, listOf, textsOf } from './read-json.ts';

export const PAYMENTS_PATH = '/v2/payments';
const MOST_LISTED = 10;
const MOST_REF_ID = 18;
const MOST_SECONDARY = 140;
const STATE_LENGTH = 24;

/** Our references, in whatever Token.io tells: other systems may use the same member. */
const PAYMENT_ID = /^[A-Za-z0-9:_-]{1,128}$/;
const REDIRECT_MOST = 4_096;

export type Account = Pick<
  TokenIoConfiguration,
  'memberId' | 'settlementAccount' | 'creditor' | 'localInstrument' | 'onBehalfOf' | 'simulated'
>;

/** The reference itself where it is short enough; otherwise what follows from it, for ever. */
export function refIdOf(reference: string): string {
  if (reference.length <= MOST_REF_ID) return reference;
  return createHash('sha256').update(reference).digest('hex').slice(0, MOST_REF_ID);
}

export function writePayment(order: PaymentOrder, account: Account): string {
  invariant(order.money.currency === 'EUR' && order.money.minor > 0n, 'Token.io is asked for euro here');
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

/** What the payer has to bring back. Nobody can guess it: the address that it is made of holds the attempt's secret. */
function stateOf({ returnUrl }: PaymentOrder): string {
  return createHash('sha256').update(returnUrl).digest('base64url').slice(0, STATE_LENGTH);
}

/** Token.io answers before our own time is over: it then still names the payment. */
export function requestTimeout(seconds: number): Record<string, string> {
  return { 'request-timeout': String(seconds) };
}

/** Undefined: that is no id of a payment, and would lead to another address. */
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
  /** For an operator. */
  readonly reason: string;
  readonly money: Money;
  /** Where the payer has to go; empty where Token.io names no such place. */
  readonly redirectUrl: string;
  readonly callbackState: string;
  /** The payer's bank has shown that it knows of the payment. */
  readonly isKnownToBank: boolean;
  /** The payer's IBAN; empty where the bank does not tell it. */
  readonly payerAccount: string;
}

/** Undefined: it can't be read, or it is not a payment of ours to our account. */
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

/** The payment of an answer about one payment. */
export function readPaymentAnswer(body: Buffer, account: Account): TokenIoPayment | undefined {
  return readPayment(fieldsOf(readPlainObject(body), 'payment'), account);
}

/**
 * The payments with that reference. Undefined: the list can't be read, or it holds a payment under our refId that is not the
 * one we asked for.
 */
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
  /** Empty where it can't be read. */
  readonly code: string;
  readonly paths: readonly string[];
  readonly reason: string;
}

/** What Token.io says of an answer that is not 200. */
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

/** Letters, digits, spaces and hyphens, as banks pass them on. */
function bankText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 -]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, MOST_SECONDARY)
    .trim();
}

function isOurAccount(told: Fields | undefined, { settlementAccount, creditor }: Account): boolean {
  const [account, iban] = [textOf(told, 'virtualAccountId'), textOf(told, 'iban').replaceAll(' ', '').toUpperCase()];
  return (account === '' || account === settlementAccount) && (iban === '' || iban === creditor.iban);
}

function usableUrl(url: string, simulated: boolean): string {
  const protocol = url.length > REDIRECT_MOST ? undefined : URL.parse(url)?.protocol;
  return protocol === 'https:' || (simulated && protocol === 'http:') ? url : '';
}

/** Whole seconds that Token.io may take, of the time that we have ourselves. */
export function secondsBefore(timeoutMs: Instant): number {
  return Math.max(1, Math.floor((timeoutMs * 0.6) / SECOND_MS));
}
