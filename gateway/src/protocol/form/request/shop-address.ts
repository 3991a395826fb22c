/** The payer's way back to the shop that a form request names. */
import type { MerchantProfile } from '../../../domain/merchants/merchant.ts';
import { isWebAddress } from '../../formats/web-address.ts';

/**
 * `payment_url` as a link, or null: only a page on the host of the merchant's registered site is linked, so that nobody
 * sends payers through a trusted page to theirs (decisions, Hosted form). A port is part of a host.
 */
export function shopAddress(paymentUrl: string, { siteUrl }: Pick<MerchantProfile, 'siteUrl'>): string | null {
  const asked = isWebAddress(paymentUrl) ? URL.parse(paymentUrl) : null;
  return asked !== null && asked.host === URL.parse(siteUrl ?? '')?.host ? asked.href : null;
}
