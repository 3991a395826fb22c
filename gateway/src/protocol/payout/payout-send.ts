/**
 * POST /merchant/api/payout_send: creates a payout of any method (decision 8). read-draft.ts checks its fields.
 */
import type { AcceptPayout, PayoutSubmission } from '../../domain/payouts/accept-payout.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isMerchantsId } from '../formats/field-formats.ts';
import { type AuthenticRequest, coverPayout, methodNumber } from './authenticate-request.ts';
import { payoutMethod } from './method-table.ts';
import type { PayoutEndpoint } from './payout-endpoint.ts';
import { payoutReply } from './payout-reply.ts';
import { normaliseContent, readDraft } from './read-draft.ts';

export function createPayoutSend(acceptPayout: AcceptPayout, clock: Clock): PayoutEndpoint {
  return {
    name: 'payout_send',
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

/** Fails if the request has no valid payout id or method. The draft carries every other fault. */
function readSubmission({ merchant, body }: AuthenticRequest, now: Instant): Result<PayoutSubmission, PayoutRejection> {
  const payoutId = body.get('payout_id');
  const number = methodNumber(body.get('method'));
  if (typeof payoutId !== 'string' || !isMerchantsId(payoutId)) return invalid('payout_id');
  if (number === undefined) return invalid('method');

  const method = payoutMethod(number);
  const context = { now, checkInn: merchant.settings.check_inn === 'on' };
  const draft = method ? readDraft(body, method, context) : fail({ kind: 'method_unavailable' } as const);
  return ok({ merchant, payoutId, content: normaliseContent(body, number, method), draft });
}

function invalid(field: string): Result<never, PayoutRejection> {
  return fail({ kind: 'invalid_field', field });
}
