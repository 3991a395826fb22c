/**
 * The reasons for a declined disbursement, as a table: the network's codes, and Mastercard's own messages if there is no code.
 *
 * Confirmed by Mastercard's pages: a declined disbursement has `network_status_code`, with 05, 13, 43 and 54 as examples, and
 * `status_reason` with such texts. The other codes come from ISO 8583, which every network uses. A code outside this table is
 * still a decline, because the disbursement's `status` is a decline.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import { declineReasonsOf } from '../kit/rail-answers.ts';

export const DECLINE_REASONS = declineReasonsOf({
  unspecified: ['03', '12', '13', '30', '58'],
  invalid_beneficiary: ['14', '15', '54', 'CARD_EXPIRED'],
  limit_or_risk: ['61', '63', '65', 'FRAUD', 'LIMIT_EXCEEDED'],
});

export function declineReasonOf(networkCode: string, statusReason: string): BlockedReason {
  return DECLINE_REASONS.get(networkCode) ?? DECLINE_REASONS.get(statusReason) ?? 'bank_declined';
}
