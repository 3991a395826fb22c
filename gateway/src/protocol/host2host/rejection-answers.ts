/**
 * Text and status of every rejection of a create request (decisions 18 and 20). Strict merchants receive 503 for a
 * temporary error, because their request is neither wrong nor a conflict.
 */
import type { DepositRejection } from '../../domain/deposits/deposit-rejection.ts';
import type { RejectionAnswers } from '../http/rejection-answer.ts';

export const DEPOSIT_REJECTION_ANSWERS: RejectionAnswers<DepositRejection['kind']> = {
  order_exists: { text: 'Order already exists', strictStatus: 409 },
  sign_error: { text: 'Sign error', strictStatus: 401 },
  merchant_not_found: { text: 'Merchant not found', strictStatus: 401 },
  merchant_disabled: { text: 'Merchant disabled', strictStatus: 401 },
  invalid_field: { text: 'Invalid {field}', strictStatus: 422 },
  currency_not_supported: { text: 'Currency not supported', strictStatus: 422 },
  amount_out_of_limits: { text: 'Amount out of limits', strictStatus: 422 },
  method_unavailable: { text: 'Method unavailable', strictStatus: 422 },
  too_many_requests: { text: 'Too many requests', strictStatus: 429 },
  temporary_error: { text: 'Temporary error', strictStatus: 503 },
};
