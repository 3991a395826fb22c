/** Text and status of every refusal, exhaustively (decisions, Answers: payout texts, HTTP codes). */
import type { PayoutRefusal } from '../../domain/payouts/payout-refusal.ts';

interface RefusalAnswer {
  /** Stable, and free of `:`. `{field}` stands for the field's name. */
  readonly text: string;
  /** For merchants with `strict_http_codes`; everyone else is answered 200. */
  readonly strictStatus: number;
}

export const REFUSAL_ANSWERS: Readonly<Record<PayoutRefusal['kind'], RefusalAnswer>> = {
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

const FIELD_NAME = /^\w{1,64}$/;

/** A field that the merchant named may hold anything: a name that is none is not repeated. */
export function refusalText(refusal: PayoutRefusal): string {
  const { text } = REFUSAL_ANSWERS[refusal.kind];
  if (refusal.kind !== 'invalid_field') return text;
  return text.replace('{field}', () => (FIELD_NAME.test(refusal.field) ? refusal.field : 'body'));
}

export function refusalStatus(refusal: PayoutRefusal, strict: boolean): number {
  if (refusal.kind === 'too_many_requests') return 429;
  return strict ? REFUSAL_ANSWERS[refusal.kind].strictStatus : 200;
}

export function retryAfterHeader(refusal: PayoutRefusal): Readonly<Record<string, string>> {
  if (refusal.kind !== 'too_many_requests') return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1_000))) };
}
