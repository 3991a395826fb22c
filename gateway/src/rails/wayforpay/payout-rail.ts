/**
 * Payouts to cards and accounts in hryvnias. protocol.ts, refusals.ts and vocabulary.ts decide what a response means,
 * provider-http.ts what a failed exchange proves.
 *
 * WayForPay may return a rejection without an order although it accepted an equal request. The rail therefore accepts such
 * a rejection only if an immediate query does not find the order. Then a lasting reason declines the payout. A short
 * float or a restriction of our account makes it wait.
 *
 * Not confirmed by WayForPay: how long it takes to respond, how soon an order is found, how many concurrent requests it
 * allows. The numbers below are cautious.
 */
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import { notAccepted, unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { WAYFORPAY, type WayForPayConfiguration } from './configuration.ts';
import {
  API_PATH,
  answerOf,
  declinedFor,
  HEADERS,
  readAnswer,
  type Statement,
  type WayForPayAnswer,
  writePayout,
  writeStatusQuery,
} from './protocol.ts';
import { DUPLICATE, isCredentialReason, NO_SUCH_ORDER } from './refusals.ts';
import { declineReasonOf, isOnlyForNow, shownReason } from './vocabulary.ts';

interface WayForPayParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
}

export function createWayForPayPayoutRail(configuration: WayForPayConfiguration, parts: WayForPayParts): PayoutRail {
  const { http, hooks } = parts;

  async function post(body: string, deadline: Deadline): Promise<WayForPayAnswer | Unanswered> {
    const reply = await http.exchange({ verb: 'POST', path: API_PATH, headers: HEADERS, body }, deadline);
    if (reply.kind !== 'answered') return reply;
    const answer = readAnswer(reply.status, reply.body, configuration);
    if (answer.kind === 'request' && isCredentialReason(answer.reasonCode)) hooks.onCredentialRefused(WAYFORPAY);
    return answer;
  }

  async function ask(order: PayoutOrder, deadline: Deadline): Promise<RailStatus> {
    const answer = await post(writeStatusQuery(order.reference, configuration), deadline);
    if (answer.kind === 'order') return answerAbout(order, answer.statement);
    if (answer.kind !== 'request') return unknown(answer.reason);
    return answer.reasonCode === NO_SUCH_ORDER ? { kind: 'not_found' } : unknown(shownReason(answer.reasonCode));
  }

  async function send(order: PayoutOrder, deadline: Deadline): Promise<RailAnswer> {
    const answer = await post(writePayout(order, configuration), deadline);
    switch (answer.kind) {
      case 'order':
        return answerAbout(order, answer.statement);
      case 'request': {
        const refusal = refusalOf(answer.reasonCode);
        if (refusal.isConclusive) return refusal.answer;
        const status = await ask(order, deadline);
        return status.kind === 'not_found' ? refusal.answer : status;
      }
      case 'nothing':
        return unknown(answer.reason);
      default:
        return unanswered(answer);
    }
  }

  return {
    name: WAYFORPAY,
    methods: new Set([1, 16, 34]),
    simulated: configuration.simulated,
    notifies: true,
    timeoutMs: 30 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    // Most cards are credited immediately. Accounts, and some banks, take part of a day.
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    send,
    ask,
  };
}

function answerAbout({ reference, money }: PayoutOrder, statement: Statement) {
  const isAboutIt = statement.orderReference === reference && statement.money.minor === money.minor;
  return isAboutIt ? answerOf(statement) : unknown('WayForPay’s response is about another order');
}

/** `isConclusive` is true if the rejection is final, so that a query would add nothing. */
function refusalOf(reasonCode: string): { readonly answer: RailAnswer; readonly isConclusive: boolean } {
  const reason = shownReason(reasonCode);
  if (reasonCode === DUPLICATE) {
    return { answer: { kind: 'pending', note: 'WayForPay has an order under this reference' }, isConclusive: true };
  }
  if (isCredentialReason(reasonCode)) return { answer: notAccepted(reason), isConclusive: true };
  if (isOnlyForNow(reasonCode)) return { answer: notAccepted(reason), isConclusive: false };
  return declineReasonOf(reasonCode)
    ? { answer: declinedFor(reasonCode), isConclusive: false }
    : { answer: unknown(reason), isConclusive: true };
}
