/** Why a deposit request was refused: the closed list behind the interface's failure texts. Refused = no effect. */
export type DepositRefusal =
  | { readonly kind: 'order_exists' }
  | { readonly kind: 'sign_error' }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'merchant_disabled' }
  | { readonly kind: 'invalid_field'; readonly field: string }
  | { readonly kind: 'currency_not_supported' }
  | { readonly kind: 'amount_out_of_limits' }
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'too_many_requests'; readonly retryAfterMs: number }
  /** What is needed before a deposit can be written could not be had, so none was. Passes by itself. */
  | { readonly kind: 'temporary_error'; readonly retryAfterMs: number };
