/**
 * Reads Token.io's webhooks. The signature covers the body, so the gateway trusts the body and ignores the header
 * `token-event`. A payment of another member, or to another account, is not ours: the gateway acknowledges and ignores it. A
 * credit of the account does not identify a payment. If its text contains a reference of ours, the gateway queries Token.io.
 *
 * Confirmed by Token.io's documents: PAYMENT_STATUS_CHANGED with `payment`, in the form of the response to a query,
 * VIRTUAL_ACCOUNT_CREDIT_RECEIVED with `virtualAccountCreditReceived`, REFUND_STATUS_CHANGED with `refundStatusChanged`. 200
 * acknowledges a webhook; Token.io repeats others at growing intervals for 72 hours. New kinds may come at any time. Not
 * confirmed: any order among them. Not confirmed: that a payment's webhook always has its `initiation`. One without it reports
 * no event, because the gateway queries later anyway.
 */

import type { Acknowledgement, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type Fields, readPlainObject, textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { TOKEN_IO, type TokenIoConfiguration } from './configuration.ts';
import { newsOf } from './payment-answer.ts';
import { readPayment } from './protocol.ts';
import { fieldsOf } from './read-fields.ts';
import { isSignedBody, readPublicKey, SIGNATURE_HEADER } from './webhook-signature.ts';

const ACCEPTED: Acknowledgement = { status: 200, contentType: 'application/json', body: '{}' };

export function createTokenIoNotifications(configuration: TokenIoConfiguration): RailNotifications {
  const key = readPublicKey(configuration.webhookPublicKey);
  return {
    name: TOKEN_IO,
    malformedStatus: 500,
    read({ body, headers }) {
      if (!key || !isSignedBody(body, headers[SIGNATURE_HEADER], key)) return fail({ kind: 'unauthentic' });
      const fields = readPlainObject(body);
      if (!fields) return malformed('no JSON object');
      const news = readNews(fields, configuration).map((each) => ({ kind: 'payment', news: each }) as const);
      return ok({ news, acknowledgement: ACCEPTED });
    },
  };
}

function readNews(fields: Fields, configuration: TokenIoConfiguration): readonly PaymentNews[] {
  const payment = readPayment(fieldsOf(fields, 'payment'), configuration);
  if (payment) return newsOf(payment);
  const credit = fieldsOf(fields, 'virtualAccountCreditReceived');
  if (textOf(credit, 'memberId') !== configuration.memberId) return [];
  const words = textOf(credit, 'description').split(/[^A-Za-z0-9-]+/);
  const references = new Set(words.filter((word) => isOwnReference(word)));
  return [...references].map((reference) => ({ kind: 'ask', reference }));
}
