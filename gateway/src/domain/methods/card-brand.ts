/** The card brands that a merchant may accept on the form, and a card number's network. The form page uses both. */
import cardValidator from 'card-validator';

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

interface CardNetwork {
  readonly name: string;
  /** Null if no setting lists this network, so the provider decides about its cards. */
  readonly brand: CardBrand | null;
  /** The first and the last prefix of each range, of equal length. */
  readonly prefixes: readonly (readonly [string, string])[];
  readonly lengths: readonly number[];
  /** The groups of digits on the card. If undefined, the card has groups of four. */
  readonly groups?: readonly number[];
  readonly cvv: number;
}

/** Brands whose names in the validator library differ from ours. */
const NETWORK_BRANDS: Readonly<Record<string, CardBrand>> = { 'american-express': 'amex', 'diners-club': 'diners' };

/** The library lacks RuPay and mistakes its numbers for Discover or Maestro. */
const RUPAY: CardNetwork = {
  name: 'RuPay',
  brand: null,
  prefixes: [
    ['5085000', '5089999'],
    ['6069850', '6079849'],
    ['6521', '6522'],
    ['82', '82'],
  ],
  lengths: [16],
  cvv: 3,
};

export const CARD_NETWORKS: readonly CardNetwork[] = [
  ...Object.values(cardValidator.creditCardType.types).map(libraryNetwork),
  RUPAY,
];

function libraryNetwork(type: string): CardNetwork {
  const { niceType, patterns, lengths, gaps, code } = cardValidator.creditCardType.getTypeInfo(type);
  return {
    name: niceType,
    brand: CARD_BRANDS.find((brand) => brand === (NETWORK_BRANDS[type] ?? type)) ?? null,
    prefixes: patterns.map((pattern) => {
      const [from, to] = Array.isArray(pattern) ? pattern : [pattern, pattern];
      return [String(from), String(to)];
    }),
    lengths,
    ...(gaps[1] === 10 ? { groups: [4, 6, 5, 4] } : {}),
    cvv: code.size,
  };
}

/**
 * Returns the network with the longest matching prefix. The page's script contains the source of this function, so it must use
 * nothing outside itself.
 */
export function findNetwork<Network extends Pick<CardNetwork, 'prefixes'>>(
  digits: string,
  networks: readonly Network[],
): Network | undefined {
  let found: Network | undefined;
  let longest = 0;
  for (const network of networks)
    for (const [from, to] of network.prefixes) {
      const start = digits.slice(0, from.length);
      if (from.length <= longest || start.length < from.length || start < from || start > to) continue;
      found = network;
      longest = from.length;
    }
  return found;
}

/** False if the card’s brand is one that a merchant could accept but is not in `brands`. */
export function isAcceptedBrand(cardNumber: string, brands: readonly CardBrand[]): boolean {
  const brand = findNetwork(cardNumber, CARD_NETWORKS)?.brand ?? null;
  return brand === null || brands.includes(brand);
}
