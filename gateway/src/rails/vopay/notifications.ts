/**
 * What VoPay tells by itself. Its ValidationKey proves that VoPay once told of that transaction, and nothing of what is said
 * here: whoever has seen one webhook can write another one under its key. So each is news that VoPay is to be asked, and the
 * worst that a forged one does is a question.
 *
 * Confirmed by VoPay's pages: JSON by POST, its fields and examples; which events there are; 200 takes it, anything else, and
 * five seconds without, has it come again twice, five minutes apart, and then never. By its list of events: the one of
 * transactions names `ID`, which the key is made from; older examples name `TransactionID` alone. Payouts of the same account
 * are told at the same address, by the same event. Not confirmed: whether a webhook about a refund names the payment's
 * reference.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
  RawNotification,
} from '../../domain/rails/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, type JsonObject, readObject, shownTextOf } from '../kit/provider-json.ts';
import { isValidationKey, type VoPayAccount } from './authentication.ts';
import { VOPAY } from './configuration.ts';
import type { ConfirmPayout } from './confirm-payout.ts';
import { payoutEndingOf } from './payout-endings.ts';
import { referenceOf } from './payouts.ts';
import { textOf } from './read-json.ts';
import { normalised, stageOf } from './statuses.ts';

const TAKEN: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

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
  if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
  const record = textOf(fields, 'TransactionID') || textOf(fields, 'ID');
  const isTheirs = record !== '' && isValidationKey(textOf(fields, 'ValidationKey'), record, sharedSecret);
  if (!isTheirs) return fail({ kind: 'unauthentic' });
  const reference = textOf(fields, 'ClientReferenceNumber');
  const payout = referenceOf(reference);
  if (payout !== undefined) {
    return ok({ news: payoutNewsOf(payout, fields, confirmPayout), acknowledgement: TAKEN });
  }
  const isOurs = isOwnReference(reference);
  return ok({ news: isOurs ? [{ kind: 'payment', news: { kind: 'ask', reference } }] : [], acknowledgement: TAKEN });
}

/** Of one that fails for a reason that does not say that nobody ever deposited it: it may have been executed before. */
function payoutNewsOf(reference: string, fields: JsonObject, confirmPayout: ConfirmPayout): PayoutNews[] {
  const status = textOf(fields, 'Status');
  const stage = stageOf(status);
  if (stage !== 'succeeded' && stage !== 'ended') return [];
  const ending = payoutEndingOf(normalised(status), shownTextOf(fields, 'FailureReason'));
  const money = amountOf(textOf(fields, 'TransactionAmount'), 'CAD') ?? null;
  const about = { reference, money, ask: confirmPayout({ reference }, { stage, ending }) };
  if (stage === 'succeeded') return [{ kind: 'executed', ...about }];
  const { code, reason, isUndeposited } = ending;
  return [isUndeposited ? { kind: 'declined', ...about, code, reason } : { kind: 'reversed', ...about, reason }];
}
