/** The address of a merchant's callbacks, by subject. */
import type { Merchant } from '../merchants/merchant.ts';
import type { CallbackSubject } from './callback.ts';

/** The merchant's address for this kind of callback, or null if it has none. */
export function callbackAddress(subject: CallbackSubject, merchant: Merchant): string | null {
  return ADDRESSES[subject](merchant);
}

const ADDRESSES: { readonly [Subject in CallbackSubject]: (merchant: Merchant) => string | null } = {
  payout: ({ payoutCallbackUrl, processUrl }) => payoutCallbackUrl ?? processUrl,
  deposit: ({ processUrl }) => processUrl,
  event: ({ eventUrl }) => eventUrl,
};
