/** POST /merchant/api/payout_send: creates a payout of any method (interface, Endpoints 2). */
import type { AcceptPayout } from '../../domain/payouts/accept-payout.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ok } from '../../foundation/result.ts';
import { coverPayout } from './covered-fields.ts';
import type { PayoutEndpoint } from './payout-endpoint.ts';
import { payoutReply } from './payout-reply.ts';
import { readSubmission } from './read-submission.ts';

export function createPayoutSend(acceptPayout: AcceptPayout, clock: Clock): PayoutEndpoint {
  return {
    path: '/merchant/api/payout_send',
    rateSetting: 'payout_rate_limit',
    cover: coverPayout,
    async answer(request) {
      const submission = readSubmission(request, clock.now());
      if (!submission.ok) return submission;
      const accepted = await acceptPayout(submission.value);
      return accepted.ok ? ok({ kind: 'signed', fields: payoutReply(accepted.value) }) : accepted;
    },
  };
}
