/**
 * The shop's link that sends a customer to the hosted form: its parameters, signed with the form key, which signs only links.
 */
import { type Fields, md5Sign } from '../merchant-signatures.ts';
import type { Sender } from '../payout-examples.ts';
import type { Offer } from './offer.ts';

/** The shop's merchant id and form key. */
export interface ShopSender extends Omit<Sender, 'key'> {
  readonly formKey: string;
}

/** `shopUrl` is the URL to which the form redirects. */
export function formParameters(
  { merchantId, formKey }: ShopSender,
  offer: Offer,
  order: string,
  shopUrl: string,
): Fields {
  const { paymentType, item, amount, currency, fields } = offer;
  const signed = { merchant: merchantId, order, amount, currency };
  const others = { item_name: item, payment_type: paymentType, payment_url: shopUrl, ...fields };
  return { ...signed, ...others, sign: md5Sign(signed, formKey) };
}

export function formLink({ url }: ShopSender, parameters: Fields): string {
  return `${url}/payment/form?${new URLSearchParams(parameters)}`;
}
