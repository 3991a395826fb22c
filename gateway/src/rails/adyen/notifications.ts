/**
 * Parses the items of Adyen's standard webhook, each with its own signature. Only signed fields may decide anything; the
 * reason and the card's last digits are only for display. The gateway acknowledges an item that is not ours (another system on
 * the same merchant account, a reference in another format) or that has no effect. Otherwise Adyen would hold back everything
 * behind it.
 *
 * Confirmed by Adyen's OpenAPI description of its webhooks: the fields, the event codes and their meanings, and examples of
 * all events that this module reads. Confirmed by Adyen's pages: any 2xx acknowledges a webhook, and older accounts need
 * `[accepted]` in the body. Adyen repeats three times immediately, then for up to 30 days. An event may arrive twice and in
 * any order. Confirmed by its libraries: the signature.
 *
 * Not confirmed: whether a refund's webhook carries the payment's reference or the refund's, so our refund reference names
 * both. Not confirmed: whether all webhooks of one dispute share one `pspReference`; the code assumes so. Not confirmed:
 * whether a pre-arbitration moves money; the code assumes that only SECOND_CHARGEBACK does.
 */
import type {
  Acknowledgement,
  NotificationFailure,
  NotificationReading,
  RailNotifications,
} from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { asFields, type Fields, readObject, shownTextOf, textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { ADYEN, type AdyenConfiguration } from './configuration.ts';
import { readMerchantReference } from './payment-request.ts';
import { moneyOf, payerAccount } from './protocol.ts';
import { refusalOfText } from './vocabulary.ts';
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
  /** The refund's reference, if the event is about a refund that we requested. */
  readonly refund: string;
  /** The event's own reference. */
  readonly pspReference: string;
  /** The payment's reference, if the event follows a payment. */
  readonly originalReference: string;
  readonly money: Money;
  readonly detail: string;
  readonly item: Fields;
}

/** Readers by event code and success. Events outside this table move no money. */
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
  // The authorised amount, which counted as paid, will not arrive.
  'CANCELLATION true': (event) => ({ kind: 'debited', ...later(event) }),
  'TECHNICAL_CANCEL true': (event) => ({ kind: 'debited', ...later(event) }),
  'CAPTURE_FAILED true': (event) => ({ kind: 'debited', ...later(event) }),
  'REFUND true': (event) => ({ kind: 'refunded', ...later(event) }),
  // The payer has the money in both cases. No signed field says whether Adyen cancelled or refunded it.
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
