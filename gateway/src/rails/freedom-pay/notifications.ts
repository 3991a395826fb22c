/**
 * Reads Freedom Pay's callbacks, which it sends to the URL in the payout. The signature covers the values but not their names
 * (signature.ts), so Freedom Pay must confirm every event.
 *
 * Confirmed by Freedom Pay's pages (callbacks of payouts): a form by POST after a payout succeeded; its fields, among them
 * pg_status with `ok` or `error`; HTTP 200 acknowledges it. Confirmed by a client: the signature with the payout secret for
 * the last segment of our URL; `pg_payment_status`, if present, has the values of a status. Not confirmed: whether Freedom Pay
 * reports a failed payout; how often it repeats an unacknowledged callback. Older pages describe the same as XML in one field.
 * The gateway does not read such a callback, and learns the outcome from a status query.
 */
import type {
  Acknowledgement,
  AskForPayout,
  NotificationReading,
  PayoutNews,
  RailNotifications,
  RawNotification,
} from '../../domain/notifications/rail-notification.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok } from '../../foundation/result.ts';
import { readPairs } from '../kit/form-pairs.ts';
import { amountOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import type { FreedomPayApi } from './api.ts';
import { FREEDOM_PAY, type FreedomPayConfiguration } from './configuration.ts';
import { FREEDOM_PAY_CURRENCY, readStatus, statusRequest } from './protocol.ts';
import { referenceOf } from './reference.ts';
import { errorCodeOf, meaningOf, reasonOf } from './refusals.ts';
import { isSigned, type PgFields, scriptOf } from './signature.ts';
import { type FreedomPayState, stateOf } from './vocabulary.ts';

/** The limit of concurrent calls that confirm notifications. */
export const FREEDOM_PAY_CONFIRMATIONS = 4;

const ACKNOWLEDGED: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

export function createFreedomPayNotifications(
  configuration: Pick<FreedomPayConfiguration, 'payoutSecret' | 'notificationUrl'>,
  api: FreedomPayApi,
): RailNotifications {
  return { name: FREEDOM_PAY, malformedStatus: 400, read: (notification) => read(notification, configuration, api) };
}

function read(
  { body }: RawNotification,
  { payoutSecret, notificationUrl }: Pick<FreedomPayConfiguration, 'payoutSecret' | 'notificationUrl'>,
  api: FreedomPayApi,
): NotificationReading {
  const form = readPairs(body.toString('utf8'));
  if (form === undefined) return malformed('too many fields for a callback');
  const pairs = [...form];
  const fields = new Map(pairs);
  if (fields.size !== pairs.length) return malformed('a duplicate field');
  if (!isSigned(scriptOf(notificationUrl), fields, payoutSecret)) return fail({ kind: 'unauthentic' });
  const reference = referenceOf(fields.get('pg_order_id') ?? '');
  if (reference === undefined) return ok({ news: [], acknowledgement: ACKNOWLEDGED });
  const money = readMoney(fields);
  if (money === undefined) return malformed('pg_payment_amount');
  const state = readState(fields);
  if (state === undefined) return malformed('pg_status');
  return ok({ news: newsOf(state, { reference, money }, fields, api), acknowledgement: ACKNOWLEDGED });
}

/** Returns null if there is no amount. Undefined if it is unreadable. */
function readMoney(fields: PgFields): Money | null | undefined {
  const amount = fields.get('pg_payment_amount');
  return amount === undefined ? null : amountOf(amount, FREEDOM_PAY_CURRENCY);
}

function readState(fields: PgFields): FreedomPayState | undefined {
  const word = fields.get('pg_payment_status') ?? fields.get('pg_status') ?? '';
  return word === 'ok' ? 'executed' : stateOf(word);
}

type Reported = Pick<PayoutNews, 'reference' | 'money'>;

function newsOf(state: FreedomPayState, reported: Reported, fields: PgFields, api: FreedomPayApi): PayoutNews[] {
  const about = { ...reported, ask: askWhether(state, reported.reference, api) };
  switch (state) {
    case 'pending':
      return [];
    case 'executed':
      return [{ kind: state, ...about }];
    case 'declined': {
      const code = errorCodeOf(fields);
      return [{ kind: state, ...about, blockedReason: meaningOf(code).blocked, reason: reasonOf(code) }];
    }
  }
}

function askWhether(state: FreedomPayState, reference: string, api: FreedomPayApi): AskForPayout {
  return async (money, deadline) => {
    const status = readStatus({ reference, money }, await api.call(statusRequest(reference), deadline));
    if (status.kind === state) return { kind: 'confirmed' };
    const reason = 'reason' in status ? status.reason : `the query at Freedom Pay returned ${status.kind}`;
    return { kind: 'unconfirmed', reason };
  };
}
