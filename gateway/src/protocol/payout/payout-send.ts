/** POST /merchant/api/payout_send: every payout, whatever its method (interface, Endpoints 2). */
import type { SendPayout } from '../../domain/payouts/send-payout.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ok } from '../../foundation/result.ts';
import { coverPayout } from './covered-fields.ts';
import type { PayoutEndpoint } from './payout-endpoint.ts';
import { payoutReply } from './payout-reply.ts';
import { readSubmission } from './read-submission.ts';

export function createPayoutSend(sendPayout: SendPayout, clock: Clock): PayoutEndpoint {
  return {
    path: '/merchant/api/payout_send',
    rateSetting: 'payout_rate_limit',
    cover: coverPayout,
    async answer(request) {
      const submission = readSubmission(request, clock.now());
      if (!submission.ok) return submission;
      const sent = await sendPayout(submission.value);
      return sent.ok ? ok({ kind: 'signed', fields: payoutReply(sent.value) }) : sent;
    },
  };
}
