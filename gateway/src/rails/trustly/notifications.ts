/**
 * Authenticates Trustly's notifications, reads those about payments, and writes the acknowledgement.
 *
 * Trustly signs for all of its merchants with one key, and each merchant chooses its own MessageIDs. So a signature
 * proves that Trustly sent the notification, but not that it is about an order of ours. A caller must compare the news'
 * `providerReference` with the order id in the Deposit's response.
 */

import type { Acknowledgement, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import { unreachable } from '../../foundation/invariant.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { malformed } from '../kit/rail-answers.ts';
import { TRUSTLY, type TrustlyConfiguration } from './configuration.ts';
import { JSON_HEADERS } from './json-rpc.ts';
import { keepKeys, type TrustlyKeys } from './key-files.ts';
import { readMessage, readNotification, type TrustlyNotification } from './notification-messages.ts';
import { isSignedBy, type Signed, signatureOf } from './signature.ts';

/** Accepts only our references, because Trustly may also notify us about orders that someone made manually. */

export function createTrustlyNotifications(configuration: TrustlyConfiguration): RailNotifications {
  const keys = keepKeys(configuration);
  return {
    name: TRUSTLY,
    malformedStatus: 500,
    read({ body }) {
      const message = readMessage(body);
      if (!message.ok) return malformed(message.error);
      const opened = keys();
      if (!opened.ok) return malformed(opened.error);
      const { signed, signature } = message.value;
      if (!isSignedBy(signed, signature, opened.value.theirs)) return fail({ kind: 'unauthentic' });
      const notification = readNotification(signed);
      if (!notification.ok) return malformed(notification.error);
      return ok({
        news: newsOf(notification.value).map((news) => ({ kind: 'payment', news })),
        acknowledgement: acknowledge(signed, opened.value),
      });
    },
  };
}

function newsOf(notification: TrustlyNotification): PaymentNews[] {
  const { messageId: reference, orderId: providerReference, notificationId } = notification;
  if (!isOwnReference(reference)) return [];
  switch (notification.kind) {
    case 'credit':
      return [
        {
          kind: 'paid',
          reference,
          providerReference,
          money: notification.money,
          payerAccount: '',
          receiptKey: notificationId,
        },
      ];
    case 'pending':
      return [{ kind: 'pending', reference, providerReference, isAuthorised: true, keep: '' }];
    case 'cancel': {
      const detail = `Trustly cancelled the order ${notification.reason}`.trim();
      return [{ kind: 'refused', reference, providerReference, refusal: 'cancelled_by_payer', canRetry: true, detail }];
    }
    case 'debit': {
      const detail = `the money of order ${providerReference} never reached Trustly`;
      return [
        { kind: 'debited', reference, providerReference, key: notificationId, money: notification.money, detail },
      ];
    }
    case 'account':
    case 'kyc':
    case 'payoutconfirmation':
      return [];
    default:
      return unreachable(notification);
  }
}

function acknowledge({ method, uuid }: Signed, { ours }: TrustlyKeys): Acknowledgement {
  const signed = { method, uuid, data: { status: 'OK' } };
  const result = { signature: signatureOf(signed, ours), ...signed };
  return { status: 200, contentType: JSON_HEADERS['content-type'], body: JSON.stringify({ result, version: '1.1' }) };
}
