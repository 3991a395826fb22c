/**
 * Reads Epoint's callbacks, which it sends to the URL in its dashboard (`result_url`). It must first verify the signature over
 * the exact string. A callback contains no time, so anyone with an old callback can replay it. A replay contains only what was
 * true, and a final payout stays unchanged. Confirmed by Epoint's API description: the form, the signature, the fields. Not
 * confirmed: that Epoint reports payouts at all (a client's table says it does not), the required response, and whether and
 * how often Epoint repeats a callback. Payments and card registrations arrive at the same URL; they are acknowledged and
 * ignored.
 */
import type { Acknowledgement, PayoutNews, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { EPOINT, type EpointAccount } from './configuration.ts';
import { isGenuine, opened, readForm } from './envelope.ts';
import { readStatement, type Statement } from './protocol.ts';
import { meaningOf } from './vocabulary.ts';

const ACKNOWLEDGED: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

export function createEpointNotifications({ privateKey }: Pick<EpointAccount, 'privateKey'>): RailNotifications {
  return {
    name: EPOINT,
    malformedStatus: 400,
    read({ body, headers }) {
      const envelope = readForm(body, headers['content-type'] ?? '');
      if (!isGenuine(envelope, privateKey)) return fail({ kind: 'unauthentic' });
      const fields = opened(envelope);
      if (!fields) return malformed('no JSON object');
      if (!isOwnReference(textOf(fields, 'order_id'))) return ok({ news: [], acknowledgement: ACKNOWLEDGED });
      const statement = readStatement(fields);
      return statement
        ? ok({ news: newsOf(statement), acknowledgement: ACKNOWLEDGED })
        : malformed('status, code or amount');
    },
  };
}

/** Empty if the status is not final for a payout. Epoint uses `error` for failed payments only in responses to queries. */
function newsOf({ status, code, orderId, money }: Statement): PayoutNews[] {
  if (status === 'error') return [];
  const meaning = meaningOf(status, code);
  return meaning.kind === 'pending' || meaning.kind === 'unknown' ? [] : [{ ...meaning, reference: orderId, money }];
}
