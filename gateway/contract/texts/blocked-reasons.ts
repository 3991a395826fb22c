/** Why a payout was blocked. The pages import this list without the schemas. */
export const BLOCKED_REASONS = [
  'unspecified',
  'bank_declined',
  'invalid_beneficiary',
  'limit_or_risk',
  'expired',
  'cancelled',
] as const;
