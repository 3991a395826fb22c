/**
 * A table of the reasons for a declined disbursement: the network's codes, and Mastercard's own texts if there is no
 * code.
 *
 * Confirmed by Mastercard's pages: a declined disbursement has `network_status_code`, with 05, 13, 43 and 54 as
 * examples, and `status_reason` with such texts. The other codes are those of ISO 8583, which every network uses. A
 * code outside this table is still a decline, because the disbursement's `status` says so.
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import { declineCodesOf } from '../kit/payout-answers.ts';

export const DECLINE_CODES = declineCodesOf({
  '50': ['03', '12', '13', '30', '58'],
  '52': ['14', '15', '54', 'CARD_EXPIRED'],
  '53': ['61', '63', '65', 'FRAUD', 'LIMIT_EXCEEDED'],
});

export function declineCode(networkCode: string, statusReason: string): BlockedCode {
  return DECLINE_CODES.get(networkCode) ?? DECLINE_CODES.get(statusReason) ?? '51';
}
