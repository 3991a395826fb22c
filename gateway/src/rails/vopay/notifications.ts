/**
 * What VoPay tells by itself. Its ValidationKey proves that VoPay once told of that transaction, and nothing of what is said
 * here: whoever has seen one webhook can write another one under its key. So each is news that VoPay is to be asked, and the
 * worst that a forged one does is a question.
 *
 * Confirmed by VoPay's pages: JSON by POST, its fields and examples; which events there are; 200 takes it, anything else, and
 * five seconds without, has it come again twice, five minutes apart, and then never. By its list of events: the one of
 * transactions names `ID`, which the key is made from; older examples name `TransactionID` alone. Not confirmed: whether a
 * webhook about a refund names the payment's reference. Payouts of the same account are told at the same address.
 */
import type {
  Acknowledgement,
  NotificationReading,
  RailNotifications,
  RawNotification,
} from '../../domain/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { readObject } from '../provider-json.ts';
import { isValidationKey, type VoPayAccount } from './authentication.ts';
import { textOf } from './read-json.ts';
import { VOPAY } from './vopay-api.ts';

const REFERENCE = /^\d{1,16}-[A-Za-z0-9]{8}$/;
const TAKEN: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

export function createVoPayNotifications(account: Pick<VoPayAccount, 'sharedSecret'>): RailNotifications {
  return { name: VOPAY, malformedStatus: 400, read: (notification) => read(notification, account) };
}

function read({ body }: RawNotification, { sharedSecret }: Pick<VoPayAccount, 'sharedSecret'>): NotificationReading {
  const fields = readObject(body);
  if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
  const record = textOf(fields, 'TransactionID') || textOf(fields, 'ID');
  const isTheirs = record !== '' && isValidationKey(textOf(fields, 'ValidationKey'), record, sharedSecret);
  if (!isTheirs) return fail({ kind: 'unauthentic' });
  const reference = textOf(fields, 'ClientReferenceNumber');
  const isOurs = REFERENCE.test(reference);
  return ok({ news: isOurs ? [{ kind: 'payment', news: { kind: 'ask', reference } }] : [], acknowledgement: TAKEN });
}
