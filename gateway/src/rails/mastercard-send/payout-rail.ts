/**
 * Payouts to Mastercard cards through Mastercard Send: method 23. protocol.ts decides what a response means; this module signs
 * every request, sends it once, and queries it by our reference.
 *
 * Mastercard sends no notifications, and has neither a daily list nor a balance. So this rail has no notifications, no lister
 * and no float reader, and reconciliation queries each payout. Confirmed by its pages: the network may take 40 s, and an
 * UNKNOWN or PENDING disbursement is queried after another 40 s. Not confirmed: how soon a disbursement is found, how many
 * concurrent requests it allows, how wrong our clock may be. The numbers below are cautious.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Random } from '../../foundation/random.ts';
import { keepOwnKey } from '../kit/own-key-file.ts';
import type { ProviderHttp, ProviderReply } from '../kit/provider-http.ts';
import { unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { MASTERCARD_SEND, type MastercardSendConfiguration } from './configuration.ts';
import { writeDisbursement } from './payout-request.ts';
import { isCredentialRefused, queryPath, readQuery, readSubmission, submissionPath } from './protocol.ts';
import { authorizationOf } from './signature.ts';

interface MastercardSendParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
  /** The source of each request's nonce. */
  readonly random: Random;
}

export function createMastercardSendPayoutRail(
  configuration: MastercardSendConfiguration,
  { http, hooks, clock, random }: MastercardSendParts,
): PayoutRail {
  const { url, partnerId, consumerKey, programme, concurrency, simulated } = configuration;
  const privateKey = keepOwnKey(configuration, 'rsa', 'MASTERCARD_SEND_PRIVATE_KEY_FILE');

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
    const reply = await http.exchange(
      verb === 'GET' ? request : { ...request, headers: { ...headers, 'content-type': 'application/json' }, body },
      deadline,
    );
    const isRefused = reply.kind === 'answered' && isCredentialRefused(reply.status, reply.body);
    if (isRefused) hooks.onCredentialRefused(MASTERCARD_SEND);
    return reply;
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
    concurrency,
    async send(order, deadline) {
      const body = writeDisbursement(order, programme);
      if (!body.ok) return body.error;
      const reply = await exchange('POST', submissionPath(partnerId), body.value, deadline);
      return reply.kind === 'answered' ? readSubmission(reply.status, reply.body, order) : unanswered(reply);
    },
    async ask(order, deadline) {
      const reply = await exchange('GET', queryPath(partnerId, order.reference), '', deadline);
      return reply.kind === 'answered' ? readQuery(reply.status, reply.body, order) : unknown(reply.reason);
    },
  };
}
