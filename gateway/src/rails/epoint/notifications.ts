/**
 * What Epoint tells by itself, at the address that its cabinet has (`result_url`): the signature over the very text first. What
 * it says bears no time, so an old one can be told again by whoever has it; it says no more than was true, and a payout that has
 * ended stays as it is.
 *
 * Confirmed by Epoint's description of its interface: the form, the signature, the fields. Not confirmed: that payouts are told
 * of at all (a client's table says not), what has to be answered, whether and how often it comes again. Payments and
 * registrations of cards are told at the same address: they are received and are no news.
 */
import type { Acknowledgement, PayoutNews, RailNotifications } from '../../domain/rails/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { textOf } from '../kit/provider-json.ts';
import { EPOINT, type EpointAccount } from './configuration.ts';
import { isGenuine, opened, readForm } from './envelope.ts';
import { readStatement, type Statement } from './protocol.ts';
import { meaningOf } from './vocabulary.ts';

const TAKEN: Acknowledgement = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'OK' };

export function createEpointNotifications({ privateKey }: Pick<EpointAccount, 'privateKey'>): RailNotifications {
  return {
    name: EPOINT,
    malformedStatus: 400,
    read({ body, headers }) {
      const envelope = readForm(body, headers['content-type'] ?? '');
      if (!isGenuine(envelope, privateKey)) return fail({ kind: 'unauthentic' });
      const fields = opened(envelope);
      if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
      if (!isOwnReference(textOf(fields, 'order_id'))) return ok({ news: [], acknowledgement: TAKEN });
      const statement = readStatement(fields);
      return statement
        ? ok({ news: newsOf(statement), acknowledgement: TAKEN })
        : fail({ kind: 'malformed', reason: 'status, code or amount' });
    },
  };
}

/** Nothing, where it is no end of a payout. `error` is said of payments that failed only to who asks. */
function newsOf({ status, code, orderId, money }: Statement): PayoutNews[] {
  if (status === 'error') return [];
  const meaning = meaningOf(status, code);
  return meaning.kind === 'pending' || meaning.kind === 'unknown' ? [] : [{ ...meaning, reference: orderId, money }];
}
