/**
 * What DT One tells by itself. Nothing signs it: the callback's credentials say who may tell, and DT One is asked before
 * anything is recorded.
 *
 * Confirmed by DT One's pages: the transaction as JSON by POST to its `callback_url`; a 2xx takes it, else it comes again
 * several times; credentials for callbacks can be set in DT One's shop. By two clients: they come as HTTP Basic. Not
 * confirmed: which of the classes are told, from which addresses, and how often and when it comes again.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
} from '../../domain/rails/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { equalInConstantTime } from '../../foundation/secret.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import { readObject } from '../kit/provider-json.ts';
import { DT_ONE, type DtOneConfiguration } from './configuration.ts';
import type { ConfirmTransaction } from './confirm-transaction.ts';
import { readTransaction } from './read-transaction.ts';
import { meaningOf } from './vocabulary.ts';

const TAKEN: Acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };

export function createDtOneNotifications(
  { callbackUsername, callbackPassword }: Pick<DtOneConfiguration, 'callbackUsername' | 'callbackPassword'>,
  confirm: ConfirmTransaction,
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

function readCallback(body: Buffer, confirm: ConfirmTransaction): NotificationReading {
  const transaction = readTransaction(readObject(body));
  if (!transaction) return fail({ kind: 'malformed', reason: 'no transaction as DT One shows them' });
  const { id, reference, status, requested: money } = transaction;
  const word = meaningOf(status);
  if (reference === null || !word || word.kind === 'pending') return taken([]);
  if (money === undefined) return fail({ kind: 'malformed', reason: 'no amount in tenge' });
  return taken([{ ...word, reference, money, ask: confirm({ id, reference, state: word.kind }) }]);
}

const taken = (news: readonly PayoutNews[]): NotificationReading => ok({ news, acknowledgement: TAKEN });
