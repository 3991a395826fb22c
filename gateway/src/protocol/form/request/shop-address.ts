/** The payer's link back to the shop, from `payment_url` in the form request. */
import type { MerchantProfile } from '../../../domain/merchants/merchant.ts';
import { isWebAddress } from '../../formats/field-formats.ts';

/**
 * Returns `payment_url` as a link, or null. It links only to the host of the merchant's registered site. Otherwise
 * anyone could send payers through a trusted page to their own site (decisions, Hosted form). The port is part of the
 * host.
 */
export function shopAddress(paymentUrl: string, { siteUrl }: Pick<MerchantProfile, 'siteUrl'>): string | null {
  const asked = isWebAddress(paymentUrl) ? URL.parse(paymentUrl) : null;
  return asked !== null && asked.host === URL.parse(siteUrl ?? '')?.host ? asked.href : null;
}
