/** Why the gateway rejected a payout request, which then has no effect: the list behind the API's `Error` messages. */
export type PayoutRejection =
  | { readonly kind: 'invalid_field'; readonly field: string }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'merchant_disabled' }
  | { readonly kind: 'sign_error' }
  | { readonly kind: 'address_not_allowed' }
  | { readonly kind: 'too_many_requests'; readonly retryAfterMs: number }
  | { readonly kind: 'currency_not_supported' }
  | { readonly kind: 'amount_out_of_limits' }
  | { readonly kind: 'insufficient_funds' }
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'payout_id_already_used' }
  | { readonly kind: 'payout_not_found' };
