/**
 * Payouts to cards in manats. protocol.ts and vocabulary.ts decide what a response means, provider-http.ts what a failed
 * exchange proves. This rail must never return `not_found`, because Epoint's documents have no response that would prove it.
 *
 * Not confirmed by Epoint: how long it takes to respond, how many concurrent requests it allows. The numbers are cautious.
 */
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, Unanswered } from '../kit/provider-http.ts';
import { beneficiaryField, declined, notAccepted, unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { EPOINT, type EpointConfiguration } from './configuration.ts';
import {
  answerAbout,
  answerTo,
  type EpointAnswer,
  HEADERS,
  PAYOUT_PATH,
  readAnswer,
  STATUS_PATH,
  writePayout,
  writeStatusQuery,
} from './protocol.ts';
import { findCardId } from './registered-cards.ts';

interface EpointParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
}

const SIGNATURE_REFUSED = 'Epoint refuses our signature: check EPOINT_PRIVATE_KEY';

export function createEpointPayoutRail(configuration: EpointConfiguration, { http, hooks }: EpointParts): PayoutRail {
  type Posted = EpointAnswer | Unanswered;

  async function post(path: string, body: string, deadline: Deadline): Promise<Posted> {
    const reply = await http.exchange({ verb: 'POST', path, headers: HEADERS, body }, deadline);
    if (reply.kind !== 'answered') return reply;
    const answer = readAnswer(reply.status, reply.body);
    if (answer.kind === 'signature_refused') hooks.onCredentialRefused(EPOINT);
    return answer;
  }

  async function send(order: PayoutOrder, deadline: Deadline): Promise<RailAnswer> {
    const card = beneficiaryField(order, 'account');
    const cardId = await findCardId(card, configuration);
    if (!cardId.ok) return notAccepted(cardId.error);
    if (cardId.value === undefined) {
      return declined('invalid_beneficiary', 'account: the card is not registered with Epoint for payouts');
    }
    const answer = await post(PAYOUT_PATH, writePayout(order, cardId.value, configuration), deadline);
    switch (answer.kind) {
      case 'statement':
        return answerTo(order, card, answer.statement);
      case 'signature_refused':
        return notAccepted(SIGNATURE_REFUSED);
      case 'nothing':
        return unknown(answer.reason);
      default:
        return unanswered(answer);
    }
  }

  async function ask(order: PayoutOrder, deadline: Deadline): Promise<RailStatus> {
    const answer = await post(STATUS_PATH, writeStatusQuery(order.reference, configuration), deadline);
    if (answer.kind === 'statement') return answerAbout(order, beneficiaryField(order, 'account'), answer.statement);
    return unknown(answer.kind === 'signature_refused' ? SIGNATURE_REFUSED : answer.reason);
  }

  return {
    name: EPOINT,
    methods: new Set([11, 17]),
    simulated: configuration.simulated,
    notifies: true,
    isReconciledByAsking: true,
    timeoutMs: 30 * SECOND_MS,
    // Never used: the rail does not return `not_found`.
    notFoundProofMs: HOUR_MS,
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    send,
    ask,
  };
}
