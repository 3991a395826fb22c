/**
 * Reads WayForPay's callbacks: each change of an order, signed with its status, and acknowledged with our signature.
 * The signature does not cover any time, so anyone with an old callback can replay it. A replay says only what was true, and a
 * final payout stays unchanged.
 *
 * Confirmed by WayForPay's page of purchases and by its own SDK: JSON by POST to the order's serviceUrl, the signature,
 * our acknowledgement and its signature. Confirmed by a public client only: callbacks about payouts, and the fields of
 * their signature. Not confirmed: how often and for how long WayForPay repeats a callback.
 */
import type { Acknowledgement, PayoutNews, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { readObject, textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { WAYFORPAY, type WayForPayAccount } from './configuration.ts';
import { answerOf, readStatement, type Statement } from './protocol.ts';
import { isOrderSigned, signatureOf, writeJson } from './signature.ts';

export function createWayForPayNotifications(account: WayForPayAccount, clock: Clock): RailNotifications {
  return {
    name: WAYFORPAY,
    malformedStatus: 400,
    read({ body }) {
      const fields = readObject(body);
      if (!fields) return malformed('no JSON object');
      if (!isOrderSigned(fields, account.secretKey)) return fail({ kind: 'unauthentic' });
      const orderReference = textOf(fields, 'orderReference');
      const acknowledgement = accepted(orderReference, account, clock.now());
      // The account may also be used for payments other than our payouts.
      if (!isOwnReference(orderReference)) return ok({ news: [], acknowledgement });
      const statement = readStatement(fields, account);
      return statement ? ok({ news: newsOf(statement), acknowledgement }) : malformed('account, amount or reason');
    },
  };
}

/** Returns no news if the status is not final for a payout. */
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
