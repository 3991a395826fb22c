/**
 * Payouts to Visa cards through Visa Direct: method 22, and 8 and 9 if no other rail accepts them (Visa does not require a
 * name). protocol.ts decides what a response means; this module sequences the calls. If Visa itself timed out, the rail
 * queries the outcome a few times within the same call. Afterwards it looks the transaction up by its numbers, which needs
 * nothing from a response.
 *
 * Visa has no list of payouts by our reference (its report has only the numbers), no balance of ours and no webhook for an
 * ordinary push. So this rail has no lister, no float reader and no notifications. Reconciliation queries each payout, and
 * sees a chargeback within the days that it queries. Confirmed: see protocol.ts. Not confirmed: how long Visa takes to list a
 * transaction; how many concurrent requests it allows. The numbers below are cautious.
 */
import type { PayoutRail, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderReply } from '../kit/provider-http.ts';
import { unanswered, unknown } from '../kit/rail-answers.ts';
import type { VisaApi } from './api.ts';
import { VISA_DIRECT, type VisaDirectConfiguration } from './configuration.ts';
import { writePush } from './payout-request.ts';
import { outcomePath, PUSH_PATH, type Pushed, queryPath, readPush, readQuery } from './protocol.ts';

/** Enough for many records of one transaction. */
export const VISA_DIRECT_LARGEST_ANSWER_BYTES = 256 * 1024;

/** The pauses before each query for the outcome of an unfinished push. */
const OUTCOME_PAUSES_MS = [SECOND_MS, 3 * SECOND_MS, 6 * SECOND_MS] as const;

interface VisaDirectParts {
  readonly api: VisaApi;
  readonly clock: Clock;
}

export function createVisaDirectPayoutRail(
  { programme, concurrency, simulated }: VisaDirectConfiguration,
  { api, clock }: VisaDirectParts,
): PayoutRail {
  async function outcomeOf(statusIdentifier: string, reference: string, deadline: Deadline): Promise<RailAnswer> {
    for (const pauseMs of OUTCOME_PAUSES_MS) {
      await clock.sleep(pauseMs, deadline.signal);
      if (deadline.isPast()) break;
      const request = { verb: 'GET', path: outcomePath(statusIdentifier), headers: {} } as const;
      const reply = await api.exchange(request, deadline);
      const answer = reply.kind === 'answered' ? readPush(reply.status, reply.body, reference) : reply;
      // A rejected query proves nothing about the push.
      const isOutcome = reply.kind === 'answered' && reply.status === 200;
      if (isOutcome && (answer.kind === 'executed' || answer.kind === 'declined')) return answer;
    }
    return unknown('Visa had not finished');
  }

  return {
    name: VISA_DIRECT,
    methods: new Set([8, 9, 22]),
    fallbackFor: new Set([8, 9]),
    accounts: { scheme: 'Visa', include: (accountShown) => accountShown.startsWith('4') },
    simulated,
    notifies: false,
    isReconciledByAsking: true,
    // Visa takes up to 30 s before it reports that it has not finished.
    timeoutMs: 50 * SECOND_MS,
    notFoundProofMs: 30 * MINUTE_MS,
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency,
    async send(order, deadline) {
      const { reference } = order;
      const headers = { 'content-type': 'application/json', 'x-client-transaction-id': reference };
      const body = writePush(order, programme, clock.now());
      const request = { verb: 'POST', path: PUSH_PATH, headers, body } as const;
      const pushed = pushedOf(await api.exchange(request, deadline), reference);
      return pushed.kind === 'unfinished' ? outcomeOf(pushed.statusIdentifier, reference, deadline) : pushed;
    },
    async ask(order, deadline) {
      const path = queryPath(order.reference, programme.acquiringBin);
      const reply = await api.exchange({ verb: 'GET', path, headers: {} }, deadline);
      if (reply.kind !== 'answered') return unknown(reply.reason);
      return readQuery(reply.status, reply.body, order, programme.acquiringBin);
    },
  };
}

function pushedOf(reply: ProviderReply, reference: string): Pushed {
  return reply.kind === 'answered' ? readPush(reply.status, reply.body, reference) : unanswered(reply);
}
