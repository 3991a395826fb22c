/** Why the gateway rejected a deposit request, which then has no effect: the list behind the API's failure messages. */
export type DepositRejection =
  | { readonly kind: 'order_exists' }
  | { readonly kind: 'sign_error' }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'merchant_disabled' }
  | { readonly kind: 'invalid_field'; readonly field: string }
  | { readonly kind: 'currency_not_supported' }
  | { readonly kind: 'amount_out_of_limits' }
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'too_many_requests'; readonly retryAfterMs: number }
  /** A resource that the deposit needs, such as an address, was unavailable. Nothing was written; a retry may succeed. */
  | { readonly kind: 'temporary_error'; readonly retryAfterMs: number };
