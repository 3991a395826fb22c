/** Why a command about a merchant was refused: a closed list, which each front maps to its own words. */
export type MerchantRefusal =
  /** `reason` completes a sentence that begins with the field. */
  | { readonly kind: 'invalid'; readonly field: MerchantField; readonly reason: string }
  /** `reason` is a whole sentence that names the setting. */
  | { readonly kind: 'invalid_setting'; readonly reason: string }
  | { readonly kind: 'merchant_exists' }
  | { readonly kind: 'merchant_not_found' }
  /** It is no shop, but where money lies that fits none. */
  | { readonly kind: 'merchant_reserved' }
  | { readonly kind: 'process_url_missing' };

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
