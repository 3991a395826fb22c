/**
 * Reads DT One's callbacks. Nothing signs them: the callback's credentials authenticate the sender, and DT One must confirm
 * the content before the gateway records anything.
 *
 * Confirmed by DT One's pages: the transaction as JSON by POST to its `callback_url`. A 2xx acknowledges it, and DT One
 * repeats it several times otherwise. DT One's shop has the setting for the callbacks' credentials. Confirmed by two clients:
 * the credentials arrive as HTTP Basic. Not confirmed: which classes DT One reports, from which addresses, and how often and
 * when it repeats.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
} from '../../domain/notifications/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { equalInConstantTime } from '../../foundation/secret.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import { readObject } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { DT_ONE, type DtOneConfiguration } from './configuration.ts';
import type { ConfirmPayout } from './confirm-payout.ts';
import { readTransaction } from './read-payout.ts';
import { meaningOf } from './vocabulary.ts';

const ACKNOWLEDGED: Acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };

export function createDtOneNotifications(
  { callbackUsername, callbackPassword }: Pick<DtOneConfiguration, 'callbackUsername' | 'callbackPassword'>,
  confirm: ConfirmPayout,
): RailNotifications {
  return {
    name: DT_ONE,
    malformedStatus: 400,
    read({ body, headers }) {
      const expected = basicAuthorization(callbackUsername, callbackPassword);
      if (!equalInConstantTime(headers['authorization'] ?? '', expected)) return fail({ kind: 'unauthentic' });
      return readCallback(body, confirm);
    },
  };
}

function readCallback(body: Buffer, confirm: ConfirmPayout): NotificationReading {
  const transaction = readTransaction(readObject(body));
  if (!transaction) return malformed('not a DT One transaction');
  const { id, reference, status, requested: money } = transaction;
  const word = meaningOf(status);
  if (reference === null || !word || word.kind === 'pending') return acknowledged([]);
  if (money === undefined) return malformed('no amount in tenge');
  return acknowledged([{ ...word, reference, money, ask: confirm({ id, reference, state: word.kind }) }]);
}

const acknowledged = (news: readonly PayoutNews[]): NotificationReading => ok({ news, acknowledgement: ACKNOWLEDGED });
