/**
 * Reads RazorpayX's webhooks. The signature covers the entire body, so the body is used. It does not cover the header with the
 * event's id, which must not be used. Each event contains the payout at that time, so its status is used and not the event's
 * name. `reversed` is accepted at any time: RazorpayX's page says that `processed` is the last status, and in another place
 * that a processed payout may be reversed.
 *
 * Confirmed by RazorpayX's pages about webhooks: `event`, and the payout in `payload.payout.entity`; the events, including
 * those that are not about payouts. RazorpayX sends each at least once, in any order, from several addresses. 2xx within five
 * seconds acknowledges it. RazorpayX repeats others for 24 hours, and then **disables the webhook** until the operator enables
 * it. The gateway therefore acknowledges other clients' events as well. Not confirmed: that RazorpayX reports a cancelled
 * payout.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
} from '../../domain/notifications/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { objectOf, readObject, textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { isSignedWebhook, SIGNATURE_HEADER } from './authentication.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { readPayout } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

const ACKNOWLEDGED: Acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };

export function createRazorpayXNotifications({
  webhookSecrets,
}: Pick<RazorpayXConfiguration, 'webhookSecrets'>): RailNotifications {
  return {
    name: RAZORPAYX,
    malformedStatus: 400,
    read({ body, headers }) {
      if (!isSignedWebhook(body, headers[SIGNATURE_HEADER], webhookSecrets)) return fail({ kind: 'unauthentic' });
      return readEvent(body);
    },
  };
}

function readEvent(body: Buffer): NotificationReading {
  const fields = readObject(body);
  if (!fields) return malformed('no JSON object');
  const payload = objectOf(objectOf(fields, 'payload'), 'payout');
  if (!/^payout\.[a-z_]+$/.test(textOf(fields, 'event')) || !payload) return acknowledged([]);
  const payout = readPayout(objectOf(payload, 'entity'));
  if (!payout) return malformed('not a RazorpayX payout');
  const { reference, money, status, reason } = payout;
  const word = meaningOf(status, reason);
  if (reference === null || !word || word.kind === 'pending') return acknowledged([]);
  return acknowledged([{ ...word, reference, money }]);
}

const acknowledged = (news: readonly PayoutNews[]): NotificationReading => ok({ news, acknowledgement: ACKNOWLEDGED });
