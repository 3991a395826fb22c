/** Text and status of every rejection of the payout family (decisions 18 and 21). */
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { RejectionAnswers } from '../http/rejection-answer.ts';

export const REJECTION_ANSWERS: RejectionAnswers<PayoutRejection['kind']> = {
  invalid_field: { text: 'Invalid {field}', strictStatus: 422 },
  merchant_not_found: { text: 'Merchant not found', strictStatus: 401 },
  merchant_disabled: { text: 'Merchant disabled', strictStatus: 401 },
  sign_error: { text: 'Sign error', strictStatus: 401 },
  address_not_allowed: { text: 'Address not allowed', strictStatus: 401 },
  too_many_requests: { text: 'Too many requests', strictStatus: 429 },
  currency_not_supported: { text: 'Currency not supported', strictStatus: 422 },
  amount_out_of_limits: { text: 'Amount out of limits', strictStatus: 422 },
  insufficient_funds: { text: 'Insufficient funds', strictStatus: 422 },
  method_unavailable: { text: 'Method unavailable', strictStatus: 422 },
  payout_id_already_used: { text: 'Payout id already used', strictStatus: 409 },
  payout_not_found: { text: 'Payout not found', strictStatus: 422 },
};
