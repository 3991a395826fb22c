/**
 * Writes the Deposit, which opens a page for the payer, and the Refund, and reads their responses. Pure: no network, no
 * clock. json-rpc.ts and signature.ts have the envelope and the signature, notification-messages.ts the notifications,
 * queries.ts the ledger.
 *
 * Confirmed by Trustly's documents: the fields, and those that a Deposit needs (names, country, locale, currency,
 * email, ShopperStatement, the two return URLs); an amount with exactly two decimals; a MessageID that is unique
 * indefinitely. A page may be in a frame and lives 10 to 30 idle minutes. URLTarget is `_top`, `_self` or `_parent`. A
 * TemplateURL is only for an unframed page that Trustly hosts, so the rail does not send it. A Refund is by OrderID,
 * partial or repeated up to the Deposit's amount, with `result` 1 when Trustly has taken it. Confirmed by recorded,
 * signed responses: those of Deposit and Refund. Not confirmed: the maximum length of a ShopperStatement and its allowed
 * characters. Not confirmed: that a MobilePhone is required (according to one client, but not to the documents). Not confirmed:
 * the page's locales beyond the common ones.
 */
import { createHash } from 'node:crypto';
import type { PaymentOrder, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asciiText } from '../kit/latin-text.ts';
import { asObject, type Json, type JsonObject, textOf } from '../kit/provider-json.ts';
import type { TrustlyConfiguration } from './configuration.ts';
import { uuidOf } from './json-rpc.ts';
import type { Signed } from './signature.ts';

const DEPOSIT = 'Deposit';
const REFUND = 'Refund';

/** The field that Trustly's page adds to the payer's return URL. It proves nothing. */
const RETURN_FIELD = 'trustly';

/** Trustly has neither Ukrainian nor Kazakh, and its behaviour for an unknown locale is not confirmed. */
const LOCALE = 'en_GB';
const MOST_STATEMENT = 30;
const ORDER_ID = /^\d{1,20}$/;
const MOST_ADDRESS = 2_000;

type Account = Pick<TrustlyConfiguration, 'username' | 'password' | 'notificationUrl'>;

/** Equal orders always give equal calls, byte for byte, so that a repeated call is harmless. */
export function depositCall(order: PaymentOrder, account: Account): Signed {
  invariant(order.money.currency === 'EUR' && order.money.minor > 0n, 'amount is not a positive EUR amount');
  const data = {
    ...credentials(account),
    NotificationURL: account.notificationUrl,
    EndUserID: endUserOf(order),
    MessageID: order.reference,
    Attributes: attributesOf(order),
  };
  return { method: DEPOSIT, uuid: uuidOf(DEPOSIT, order.reference), data };
}

function attributesOf({ money, merchantName, payer, returnUrl }: PaymentOrder): JsonObject {
  return {
    ...amountOf(money),
    Country: payer.country,
    Locale: LOCALE,
    Firstname: payer.firstName,
    Lastname: payer.lastName,
    Email: payer.email,
    ...(payer.phone === '' ? {} : { MobilePhone: payer.phone }),
    ...(payer.ip === '' ? {} : { IP: payer.ip }),
    ShopperStatement: statementText(merchantName),
    SuccessURL: comingBack(returnUrl, 'success'),
    FailURL: comingBack(returnUrl, 'fail'),
    // Replaces the page that contains the frame: after the payer clicks, a framed page may navigate only the top window.
    URLTarget: '_top',
  };
}

/**
 * Identifies one payer of one merchant, for whom Trustly then offers the bank used last. It includes the merchant's name,
 * because the same user id means a different payer at another merchant. A payer without a user id is new each time.
 */
function endUserOf({ merchantName, payer, reference }: PaymentOrder): string {
  if (payer.userId === '') return reference;
  return createHash('sha256')
    .update(JSON.stringify([merchantName, payer.userId]))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the text on the payer's bank statement after Trustly's own number: ASCII letters, digits and a few signs. */
export function statementText(text: string): string {
  return asciiText(text, /[^A-Za-z0-9 .,-]+/g, MOST_STATEMENT) || 'Payment';
}

function comingBack(returnUrl: string, how: 'success' | 'fail'): string {
  const url = new URL(returnUrl);
  url.searchParams.set(RETURN_FIELD, how);
  return url.href;
}

interface OpenedDeposit {
  readonly orderId: string;
  /** The URL of Trustly's page, which is opened in a frame. */
  readonly url: string;
}

/** Returns undefined if the response lacks a field of a Deposit's response. */
export function readDeposit(answered: Json, simulated: boolean): OpenedDeposit | undefined {
  const data = asObject(answered) ?? {};
  const [orderId, url] = [textOf(data, 'orderid'), textOf(data, 'url')];
  const protocol = url.length > MOST_ADDRESS ? undefined : URL.parse(url)?.protocol;
  const isUsable = protocol === 'https:' || (simulated && protocol === 'http:');
  return ORDER_ID.test(orderId) && isUsable ? { orderId, url } : undefined;
}

export function refundCall({ payment, reference, money }: RefundOrder, account: Account): Signed {
  const data = {
    ...credentials(account),
    OrderID: payment.providerReference,
    ...amountOf(money),
    Attributes: { ExternalReference: reference },
  };
  return { method: REFUND, uuid: uuidOf(REFUND, reference), data };
}

/** `refused` is Trustly's own refusal. Undefined if the response is neither, or is about another order. */
export function readRefund(answered: Json, { payment }: RefundOrder): 'accepted' | 'refused' | undefined {
  const data = asObject(answered) ?? {};
  if (textOf(data, 'orderid') !== payment.providerReference) return undefined;
  return ({ 1: 'accepted', 0: 'refused' } as const)[textOf(data, 'result')];
}

export function credentials({ username, password }: Pick<Account, 'username' | 'password'>): JsonObject {
  return { Username: username, Password: password.reveal() };
}

function amountOf(money: Money): JsonObject {
  return { Amount: formatAmount(money), Currency: money.currency };
}
