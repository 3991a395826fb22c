/**
 * What RazorpayX tells by itself. The signature is over the whole body, so what the body says counts; the header with the
 * event's id, which it does not cover, is not looked at. Each event shows the payout as it stood when it was told of, so the
 * status in it counts, and not the event's name. `reversed` counts whenever it comes: RazorpayX's page says that nothing after
 * `processed` has to be looked at, and in another place that a processed payout may be reversed.
 *
 * Confirmed by RazorpayX's pages about webhooks: `event`, and the payout in `payload.payout.entity`; which events there are,
 * those that are not about payouts among them; at least once, in any order, from several addresses; 2xx within five seconds
 * takes one, and what is not taken comes again for 24 hours, after which **the webhook is switched off** until a person
 * switches it on. So what is none of ours is taken. Not confirmed: that a payout that was cancelled is told of.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
} from '../../domain/rails/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { objectOf, readObject, textOf } from '../kit/provider-json.ts';
import { isSignedWebhook, SIGNATURE_HEADER } from './authentication.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { readPayout } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

const TAKEN: Acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };

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
  const told = readObject(body);
  if (!told) return malformed('no JSON object');
  const payload = objectOf(objectOf(told, 'payload'), 'payout');
  if (!/^payout\.[a-z_]+$/.test(textOf(told, 'event')) || !payload) return taken([]);
  const payout = readPayout(objectOf(payload, 'entity'));
  if (!payout) return malformed('no payout as RazorpayX shows them');
  const { reference, money, status, reason } = payout;
  const word = meaningOf(status, reason);
  if (reference === null || !word || word.kind === 'pending') return taken([]);
  return taken([{ ...word, reference, money }]);
}

const taken = (news: readonly PayoutNews[]): NotificationReading => ok({ news, acknowledgement: TAKEN });
const malformed = (reason: string): NotificationReading => fail({ kind: 'malformed', reason });
