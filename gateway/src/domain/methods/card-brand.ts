/** The card brands that a merchant may take on the form, and the brand of a number. */
import { cardNetwork } from '../vault/card-number.ts';

export const CARD_BRANDS = [
  'visa',
  'mastercard',
  'maestro',
  'amex',
  'unionpay',
  'jcb',
  'discover',
  'diners',
  'elo',
  'hipercard',
] as const;
export type CardBrand = (typeof CARD_BRANDS)[number];

/** Names of the validator's library that differ from ours. */
const NETWORK_BRANDS: Readonly<Record<string, CardBrand>> = { 'american-express': 'amex', 'diners-club': 'diners' };

/** False if the number is of a known network outside `brands`. The provider decides about an unknown network. */
export function isTakenBrand(cardNumber: string, brands: readonly CardBrand[]): boolean {
  const network = cardNetwork(cardNumber);
  if (network === undefined) return true;
  const name = NETWORK_BRANDS[network] ?? network;
  return brands.some((brand) => brand === name);
}
