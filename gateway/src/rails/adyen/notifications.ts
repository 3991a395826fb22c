/**
 * What Adyen tells by itself: the items of a standard webhook, each signed. Only what the signature covers decides anything;
 * a reason and the card's last digits are for people to read. An item about money that is none of ours (another system on
 * the same merchant account, a reference of another shape) and one from which nothing follows are taken all the same, or
 * Adyen would hold back everything behind it.
 *
 * Confirmed by Adyen's OpenAPI description of its webhooks: the fields, the event codes, what each means, and examples of
 * all that are read here; by Adyen's pages: any 2xx accepts, `[accepted]` in the body is what older accounts are asked for;
 * three repetitions at once, then for up to 30 days; an event may come twice and in any order. By its libraries: the
 * signature. Not confirmed: whether the webhook about a refund carries the payment's reference or the refund's, so ours
 * names both; whether all webhooks of one dispute share one `pspReference` (taken so); whether a pre-arbitration moves
 * money by itself (taken not to: SECOND_CHARGEBACK does).
 */
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import type {
  Acknowledgement,
  NotificationFailure,
  NotificationReading,
  RailNotifications,
} from '../../domain/rails/rail-notification.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { asFields, type Fields, readObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import { moneyOf } from './amounts.ts';
import { ADYEN, type AdyenConfiguration } from './configuration.ts';
import { readMerchantReference } from './payment-request.ts';
import { payerAccount } from './protocol.ts';
import { refusalOfText } from './refusals.ts';
import { isSignedItem } from './webhook-signature.ts';

export const ACCEPTED: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: '[accepted]' };

type Account = Pick<AdyenConfiguration, 'hmacKeys' | 'merchantAccount'>;

export function createAdyenNotifications(account: Account): RailNotifications {
  return { name: ADYEN, malformedStatus: 500, read: ({ body }) => readItems(body, account) };
}

function readItems(body: Buffer, { hmacKeys, merchantAccount }: Account): NotificationReading {
  const items = itemsOf(body);
  if (!items) return malformed('notificationItems');
  if (!items.every((item) => isSignedItem(item, hmacKeys))) return fail({ kind: 'unauthentic' });
  const news: PaymentNews[] = [];
  for (const item of items) {
    if (textOf(item, 'merchantAccountCode') !== merchantAccount) continue;
    const read = newsOf(item);
    if (!read.ok) return read;
    news.push(...read.value);
  }
  return ok({ news: news.map((news) => ({ kind: 'payment', news })), acknowledgement: ACCEPTED });
}

function itemsOf(body: Buffer): readonly Fields[] | undefined {
  const items = readObject(body)?.['notificationItems'];
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const read = items.map((item: unknown) => asFields(asFields(item)?.['NotificationRequestItem']));
  return read.every((item) => item !== undefined) ? read : undefined;
}

interface Event {
  readonly reference: string;
  /** Of the refund, where the event is about one that we asked for. */
  readonly refund: string;
  /** Of the event itself. */
  readonly pspReference: string;
  /** Of the payment, where the event is about what came after it. */
  readonly originalReference: string;
  readonly money: Money;
  readonly detail: string;
  readonly item: Fields;
}

/** By event code and success. What is not here moves no money. */
const READERS: Readonly<Record<string, (event: Event) => PaymentNews>> = {
  'AUTHORISATION true': ({ reference, money, pspReference, item }) => ({
    kind: 'paid',
    reference,
    money,
    payerAccount: payerAccount(shownTextOf(item, 'paymentMethod'), asFields(item['additionalData'])),
    providerReference: pspReference,
  }),
  'AUTHORISATION false': ({ reference, pspReference, detail, item }) => ({
    kind: 'refused',
    reference,
    ...refusalOfText(textOf(item, 'reason')),
    detail,
    providerReference: pspReference,
  }),
  // What was authorised, and so counted as paid, will not come.
  'CANCELLATION true': (event) => ({ kind: 'debited', ...later(event) }),
  'TECHNICAL_CANCEL true': (event) => ({ kind: 'debited', ...later(event) }),
  'CAPTURE_FAILED true': (event) => ({ kind: 'debited', ...later(event) }),
  'REFUND true': (event) => ({ kind: 'refunded', ...later(event) }),
  // Whether it was cancelled or given back, the payer has his money; which of the two no signature covers.
  'CANCEL_OR_REFUND true': (event) => ({ kind: 'refunded', ...later(event) }),
  'REFUND false': (event) => ({ kind: 'refund_undone', ...later(event) }),
  'REFUND_FAILED true': (event) => ({ kind: 'refund_undone', ...later(event) }),
  'REFUNDED_REVERSED true': (event) => ({ kind: 'refund_undone', ...later(event) }),
  'CHARGEBACK true': (event) => ({ kind: 'charged_back', ...later(event) }),
  'SECOND_CHARGEBACK true': (event) => ({ kind: 'charged_back', ...later(event), key: `${event.pspReference}/2` }),
  'CHARGEBACK_REVERSED true': (event) => ({ kind: 'chargeback_undone', ...later(event) }),
};

function later({ reference, refund, pspReference, originalReference, money, detail }: Event) {
  return { reference, providerReference: originalReference, key: refund || pspReference, money, detail };
}

function newsOf(item: Fields): Result<readonly PaymentNews[], NotificationFailure> {
  const eventCode = textOf(item, 'eventCode');
  const success = textOf(item, 'success');
  const reader = Object.hasOwn(READERS, `${eventCode} ${success}`) ? READERS[`${eventCode} ${success}`] : undefined;
  const ours = readMerchantReference(textOf(item, 'merchantReference'));
  if (!reader || !ours) return ok([]);
  const pspReference = textOf(item, 'pspReference');
  const originalReference = textOf(item, 'originalReference');
  const money = moneyOf(item['amount']);
  if (!/^[A-Za-z0-9]{1,32}$/.test(pspReference)) return malformed('pspReference');
  if (!/^[A-Za-z0-9]{0,32}$/.test(originalReference)) return malformed('originalReference');
  if (!money) return malformed('amount');
  const detail = `${eventCode} ${shownTextOf(item, 'reason')}`.trim();
  const { payment: reference, refund } = ours;
  return ok([reader({ reference, refund, pspReference, originalReference, money, detail, item })]);
}

const malformed = (reason: string) => fail<NotificationFailure>({ kind: 'malformed', reason });
