/** Why the gateway rejected a command about a merchant: a closed list, which each caller maps to its own messages. */
export type MerchantRejection =
  /** `reason` completes a sentence that begins with the field. */
  | { readonly kind: 'invalid'; readonly field: MerchantField; readonly reason: string }
  /** `reason` is a complete sentence that names the setting. */
  | { readonly kind: 'invalid_setting'; readonly reason: string }
  /** The merchant no longer has the version that the caller named. */
  | { readonly kind: 'changed_meanwhile' }
  | { readonly kind: 'merchant_exists' }
  | { readonly kind: 'merchant_not_found' }
  /** The id of the built-in merchant that owns unmatched money. */
  | { readonly kind: 'merchant_reserved' }
  | { readonly kind: 'process_url_missing' }
  /** The merchant's setting requires a passed conformance run that is at most `days` days old. */
  | { readonly kind: 'conformance_missing'; readonly days: number };

export type MerchantField =
  | 'id'
  | 'name'
  | 'key'
  | 'formKey'
  | 'siteUrl'
  | 'processUrl'
  | 'successUrl'
  | 'failUrl'
  | 'payoutCallbackUrl'
  | 'eventUrl'
  | 'overlapHours';
