/**
 * Reads VoPay's webhooks. Their ValidationKey proves that VoPay once notified us about this transaction, and nothing
 * about the content: anyone who has seen one webhook can write a different webhook under its key. A webhook must therefore only
 * make the gateway query VoPay. A forged one causes at most one query.
 *
 * Confirmed by VoPay's pages: JSON by POST, its fields and examples; the kinds of events; 200 acknowledges a webhook.
 * After any other response, or five seconds without one, VoPay repeats it twice, five minutes apart, and then never.
 * Confirmed by its list of events: the event of transactions contains `ID`, from which the key is made; older examples
 * contain only `TransactionID`. VoPay reports payouts of the same account to the same address by the same event. Not
 * confirmed: whether a refund's webhook has the payment's reference.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
  RawNotification,
} from '../../domain/notifications/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, readObject, shownTextOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { isValidationKey, type VoPayAccount } from './authentication.ts';
import { VOPAY } from './configuration.ts';
import type { ConfirmPayout } from './confirm-payout.ts';
import { referenceOf } from './payout-messages.ts';
import { textOf } from './read-fields.ts';
import { normalised, payoutEndingOf, stageOf } from './vocabulary.ts';

const ACKNOWLEDGED: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

export function createVoPayNotifications(
  account: Pick<VoPayAccount, 'sharedSecret'>,
  confirmPayout: ConfirmPayout,
): RailNotifications {
  return { name: VOPAY, malformedStatus: 400, read: (notification) => read(notification, account, confirmPayout) };
}

function read(
  { body }: RawNotification,
  { sharedSecret }: Pick<VoPayAccount, 'sharedSecret'>,
  confirmPayout: ConfirmPayout,
): NotificationReading {
  const fields = readObject(body);
  if (!fields) return malformed('no JSON object');
  const record = textOf(fields, 'TransactionID') || textOf(fields, 'ID');
  const isTheirs = record !== '' && isValidationKey(textOf(fields, 'ValidationKey'), record, sharedSecret);
  if (!isTheirs) return fail({ kind: 'unauthentic' });
  const reference = textOf(fields, 'ClientReferenceNumber');
  const payout = referenceOf(reference);
  if (payout !== undefined) {
    return ok({ news: payoutNewsOf(payout, fields, confirmPayout), acknowledgement: ACKNOWLEDGED });
  }
  const isOurs = isOwnReference(reference);
  return ok({
    news: isOurs ? [{ kind: 'payment', news: { kind: 'ask', reference } }] : [],
    acknowledgement: ACKNOWLEDGED,
  });
}

/** Returns the news of a payout. One that failed for a reason other than "never deposited" may have been executed before. */
function payoutNewsOf(reference: string, fields: JsonObject, confirmPayout: ConfirmPayout): PayoutNews[] {
  const status = textOf(fields, 'Status');
  const stage = stageOf(status);
  if (stage !== 'succeeded' && stage !== 'ended') return [];
  const ending = payoutEndingOf(normalised(status), shownTextOf(fields, 'FailureReason'));
  const money = amountOf(textOf(fields, 'TransactionAmount'), 'CAD') ?? null;
  const about = { reference, money, ask: confirmPayout({ reference }, { stage, ending }) };
  if (stage === 'succeeded') return [{ kind: 'executed', ...about }];
  const { blockedReason, reason, isUndeposited } = ending;
  return [
    isUndeposited ? { kind: 'declined', ...about, blockedReason, reason } : { kind: 'reversed', ...about, reason },
  ];
}
