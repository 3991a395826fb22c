/**
 * Being paid through Trustly: the Deposit that opens a page for the payer, the Refund that gives back, and what their
 * answers say. Pure: no network, no clock. The envelope and the signature are in json-rpc.ts and signature.ts, what Trustly
 * tells by itself in incoming-messages.ts, what it can be asked in queries.ts.
 *
 * Confirmed by Trustly's documents: the fields and which of them a Deposit needs (names, country, locale, currency, e-mail,
 * ShopperStatement, the two return addresses); an amount with exactly two decimals; MessageID unique for ever; a page that
 * may stand in a frame and lives 10 to 30 minutes without an act; URLTarget `_top`, `_self`, `_parent`; a TemplateURL only
 * for a page that Trustly hosts and that may not be framed, so it is not sent here; a Refund by OrderID, in part or several
 * times up to the amount of the Deposit, `result` 1 once Trustly has taken it on. By recorded, signed answers: those of
 * Deposit and Refund. Not confirmed: how long a ShopperStatement may be and which characters it takes; that a MobilePhone is
 * needed (one client says so, the documents do not); which locales the page speaks beside the widespread ones.
 */
import { createHash } from 'node:crypto';
import type { PaymentOrder, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asObject, type Json, type JsonObject, textOf } from '../kit/provider-json.ts';
import type { TrustlyConfiguration } from './configuration.ts';
import { uuidOf } from './json-rpc.ts';
import type { Signed } from './signature.ts';

export const DEPOSIT = 'Deposit';
export const REFUND = 'Refund';

/** The field that Trustly's page adds, by its address, to what the payer brings back. It proves nothing. */
const RETURN_FIELD = 'trustly';

/** Trustly knows neither Ukrainian nor Kazakh, and what it does with a locale that it does not know is not confirmed. */
const LOCALE = 'en_GB';
const MOST_STATEMENT = 30;
const ORDER_ID = /^\d{1,20}$/;
const MOST_ADDRESS = 2_000;

type Account = Pick<TrustlyConfiguration, 'username' | 'password' | 'notificationUrl'>;

/** The same order gives the same call, byte for byte and for ever: that is what makes asking again harmless. */
export function depositCall(order: PaymentOrder, account: Account): Signed {
  invariant(order.money.currency === 'EUR' && order.money.minor > 0n, 'Trustly is asked for euro here');
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
    // Out of the frame: a page inside it may move the whole window, once the payer has clicked, and no other.
    URLTarget: '_top',
  };
}

/**
 * One payer of one merchant, as Trustly may recognise him: it offers the bank that he used last. A user's name means
 * another person at another merchant, and is nobody's but the merchant's to tell. Who has none is new each time.
 */
function endUserOf({ merchantName, payer, reference }: PaymentOrder): string {
  if (payer.userId === '') return reference;
  return createHash('sha256')
    .update(JSON.stringify([merchantName, payer.userId]))
    .digest('hex')
    .slice(0, 32);
}

/** What the payer's bank statement shows behind Trustly's own number: ASCII letters, digits and a few signs. */
export function statementText(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 .,-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, MOST_STATEMENT)
    .trim();
  return ascii === '' ? 'Payment' : ascii;
}

function comingBack(returnUrl: string, how: 'success' | 'fail'): string {
  const url = new URL(returnUrl);
  url.searchParams.set(RETURN_FIELD, how);
  return url.href;
}

export interface OpenedDeposit {
  readonly orderId: string;
  /** Trustly's page, for a frame. */
  readonly url: string;
}

/** Undefined: the answer has not what a Deposit's answer has. */
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

/** `refused` is Trustly's own no; undefined: it says neither, or speaks of another order. */
export function readRefund(answered: Json, { payment }: RefundOrder): 'taken_on' | 'refused' | undefined {
  const data = asObject(answered) ?? {};
  if (textOf(data, 'orderid') !== payment.providerReference) return undefined;
  return ({ 1: 'taken_on', 0: 'refused' } as const)[textOf(data, 'result')];
}

export function credentials({ username, password }: Pick<Account, 'username' | 'password'>): JsonObject {
  return { Username: username, Password: password.reveal() };
}

function amountOf(money: Money): JsonObject {
  return { Amount: formatAmount(money), Currency: money.currency };
}
