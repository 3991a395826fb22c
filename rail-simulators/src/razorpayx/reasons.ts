/** RazorpayX's reasons for a payout's status, each with its source and its description. */

const SOURCES = {
  bank_account_closed: 'beneficiary_bank',
  bank_account_frozen: 'beneficiary_bank',
  bank_account_invalid: 'beneficiary_bank',
  beneficiary_account_dormant: 'beneficiary_bank',
  beneficiary_bank_confirmation_pending: 'beneficiary_bank',
  beneficiary_bank_failure: 'beneficiary_bank',
  beneficiary_bank_offline: 'beneficiary_bank',
  beneficiary_bank_rejected: 'beneficiary_bank',
  imps_not_allowed: 'beneficiary_bank',
  invalid_ifsc_code: 'beneficiary_bank',
  payout_processed: 'beneficiary_bank',
  transaction_limit_exceeded: 'beneficiary_bank',
  amount_limit_exhausted: 'business',
  insufficient_funds: 'business',
  low_balance: 'business',
  pending_approval: 'business',
  beneficiary_bank_down: 'gateway',
  gateway_technical_error: 'gateway',
  payout_bank_processing: 'gateway',
  server_error: 'internal',
} as const;

export type Reason = keyof typeof SOURCES;

export const REASONS = Object.keys(SOURCES) as readonly Reason[];

/** Returns null if there is no reason. */
export function statusDetails(reason: Reason | ''): object | null {
  if (reason === '') return null;
  return { description: `Simulated: ${reason.replaceAll('_', ' ')}.`, source: SOURCES[reason], reason };
}
