/**
 * Payouts to Mastercard's cards through Mastercard Send: method 23. What an answer means is decided in protocol.ts; here every
 * request is signed, sent once, and asked about by our reference.
 *
 * Mastercard calls nobody, and has neither a list of a day nor a balance to be asked for, so this rail has no notifications, no
 * lister and no float: reconciliation asks about each payout. Confirmed by its pages: the network may take 40 s, and what is UNKNOWN or PENDING is asked about after
 * another 40 s. Not confirmed: how soon a disbursement is found, how many requests at once it allows, how far our clock may be
 * off. The numbers below are careful choices.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Random } from '../../foundation/ids.ts';
import type { ProviderHttp, ProviderReply } from '../provider-http.ts';
import type { RailHooks } from '../rail-hooks.ts';
import type { MastercardSendConfiguration } from './configuration.ts';
import { writeDisbursement } from './disbursement-request.ts';
import { authorizationOf } from './oauth-signature.ts';
import { keepPrivateKey } from './private-key.ts';
import { CREDENTIAL_REFUSED, queryPath, readQuery, readSubmission, submissionPath } from './protocol.ts';

export const MASTERCARD_SEND = 'mastercard-send';
export const MASTERCARD_SEND_CONCURRENCY = 16;

export interface MastercardSendParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
  /** For the nonce of each request. */
  readonly random: Random;
}

export function createMastercardSendPayoutRail(
  configuration: MastercardSendConfiguration,
  { http, hooks, clock, random }: MastercardSendParts,
): PayoutRail {
  const { url, partnerId, consumerKey, programme, simulated } = configuration;
  const privateKey = keepPrivateKey(configuration);
  const alarmed = <Answer extends { kind: string; reason?: string }>(answer: Answer): Answer => {
    if (answer.reason?.startsWith(CREDENTIAL_REFUSED)) hooks.onCredentialRefused(MASTERCARD_SEND);
    return answer;
  };

  async function exchange(
    verb: 'GET' | 'POST',
    path: string,
    body: string,
    deadline: Deadline,
  ): Promise<ProviderReply> {
    const key = privateKey();
    if (!key.ok) return { kind: 'not_connected', reason: key.error };
    const parts = {
      consumerKey: consumerKey.reveal(),
      nonce: random.bytes(8).toString('hex'),
      timestamp: Math.floor(clock.now() / SECOND_MS),
    };
    const authorization = authorizationOf({ verb, url: url + path, body }, parts, key.value);
    const headers = { accept: 'application/json', authorization };
    const request = { verb, path, headers };
    return http.exchange(
      verb === 'GET' ? request : { ...request, headers: { ...headers, 'content-type': 'application/json' }, body },
      deadline,
    );
  }

  return {
    name: MASTERCARD_SEND,
    methods: new Set([23]),
    simulated,
    notifies: false,
    isReconciledByAsking: true,
    timeoutMs: 55 * SECOND_MS,
    notFoundProofMs: 30 * MINUTE_MS,
    askAfterMs: [40 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: MASTERCARD_SEND_CONCURRENCY,
    async send(order, deadline) {
      const body = writeDisbursement(order, programme);
      if (!body.ok) return body.error;
      const reply = await exchange('POST', submissionPath(partnerId), body.value, deadline);
      if (reply.kind === 'answered') return alarmed(readSubmission(reply.status, reply.body, order));
      return { kind: reply.kind === 'not_connected' ? 'not_taken' : 'unknown', reason: reply.reason };
    },
    async ask(order, deadline) {
      const reply = await exchange('GET', queryPath(partnerId, order.reference), '', deadline);
      if (reply.kind !== 'answered') return { kind: 'unknown', reason: reply.reason };
      return alarmed(readQuery(reply.status, reply.body, order));
    },
  };
}
