/**
 * What WayForPay tells by itself: each change of an order, signed with where it stands, and answered with a signature of ours.
 * The signature covers no time, so who has an old one can tell it again; it says no more than was true, and a payout that has
 * ended stays as it is.
 *
 * Confirmed by WayForPay's page of purchases and by its own SDK: JSON by POST to the serviceUrl that the order named, the
 * signature, our reply and its signature. By a public client only: that payouts are told so too, and over which fields.
 * Not confirmed: how often and for how long it is told again.
 */
import type { Acknowledgement, PayoutNews, RailNotifications } from '../../domain/rails/rail-notification.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { readObject, textOf } from '../kit/provider-json.ts';
import { WAYFORPAY, type WayForPayAccount } from './configuration.ts';
import { answerOf, readStatement, type Statement } from './protocol.ts';
import { isOrderSigned, signatureOf, writeJson } from './signature.ts';

export function createWayForPayNotifications(account: WayForPayAccount, clock: Clock): RailNotifications {
  return {
    name: WAYFORPAY,
    malformedStatus: 400,
    read({ body }) {
      const fields = readObject(body);
      if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
      if (!isOrderSigned(fields, account.secretKey)) return fail({ kind: 'unauthentic' });
      const orderReference = textOf(fields, 'orderReference');
      const acknowledgement = accepted(orderReference, account, clock.now());
      // The account may be used for more than payouts of ours.
      if (!isOwnReference(orderReference)) return ok({ news: [], acknowledgement });
      const statement = readStatement(fields, account);
      return statement
        ? ok({ news: newsOf(statement), acknowledgement })
        : fail({ kind: 'malformed', reason: 'account, amount or reason' });
    },
  };
}

/** Nothing, where it is no end of a payout. */
function newsOf(statement: Statement): PayoutNews[] {
  const answer = answerOf(statement);
  const common = { reference: statement.orderReference, money: statement.money };
  return answer.kind === 'pending' || answer.kind === 'unknown' ? [] : [{ ...answer, ...common }];
}

function accepted(orderReference: string, { secretKey }: WayForPayAccount, now: Instant): Acknowledgement {
  const status = 'accept';
  const time = String(Math.floor(now / 1_000));
  const signature = signatureOf([orderReference, status, time], secretKey);
  return {
    status: 200,
    contentType: 'application/json',
    body: writeJson({ orderReference, status, time, signature }),
  };
}
