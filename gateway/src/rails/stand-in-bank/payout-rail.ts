/**
 * The rail of the fourteen methods that wait for their real connectors, over the stand-in bank. What an answer means is
 * decided in protocol.ts, what a failed exchange proves in provider-http.ts; here the two only meet.
 */
import type { PayoutRail, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { ProviderHttp, ProviderReply } from '../provider-http.ts';
import type { RailHooks } from '../rail-hooks.ts';
import type { StandInBankConfiguration } from './configuration.ts';
import {
  CREDENTIAL_REFUSED,
  PAYOUTS_PATH,
  payoutPath,
  readInquiry,
  readSubmission,
  STAND_IN_BANK_METHODS,
  writePayout,
} from './protocol.ts';

export const STAND_IN_BANK = 'stand-in-bank';
export const STAND_IN_BANK_CONCURRENCY = 256;

export function createStandInBankRail(
  { secret }: StandInBankConfiguration,
  http: Pick<ProviderHttp, 'exchange'>,
  hooks: RailHooks,
): PayoutRail {
  const headers = () => ({ authorization: `Bearer ${secret.reveal()}` });
  const alarmed = <Answer extends { kind: string; reason?: string }>(answer: Answer): Answer => {
    if (answer.reason === CREDENTIAL_REFUSED) hooks.onCredentialRefused(STAND_IN_BANK);
    return answer;
  };
  return {
    name: STAND_IN_BANK,
    methods: STAND_IN_BANK_METHODS,
    simulated: true,
    notifies: true,
    isReconciledByAsking: true,
    timeoutMs: 10_000,
    notFoundProofMs: 5_000,
    askAfterMs: [1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
    concurrency: STAND_IN_BANK_CONCURRENCY,
    async send(order, deadline) {
      const reply = await http.exchange(
        {
          verb: 'POST',
          path: PAYOUTS_PATH,
          headers: { ...headers(), 'content-type': 'application/json' },
          body: writePayout(order),
        },
        deadline,
      );
      if (reply.kind !== 'answered') return unsent(reply);
      return alarmed(readSubmission(order.reference, reply.status, reply.body));
    },
    async ask({ reference }, deadline) {
      const reply = await http.exchange({ verb: 'GET', path: payoutPath(reference), headers: headers() }, deadline);
      if (reply.kind !== 'answered') return { kind: 'unknown', reason: reply.reason };
      return alarmed(readInquiry(reference, reply.status, reply.body));
    },
  };
}

function unsent({ kind, reason }: Exclude<ProviderReply, { kind: 'answered' }>): RailAnswer {
  return { kind: kind === 'not_connected' ? 'not_taken' : 'unknown', reason };
}
