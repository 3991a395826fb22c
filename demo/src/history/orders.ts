/** The payouts of the history: the demo's examples with other recipients, accounts and amounts. */
import type { Random } from '../../../gateway/src/foundation/random.ts';
import type { Example } from '../payout-examples.ts';
import { PROVIDERS } from '../providers/providers.ts';

/** How often each method is used, out of about ten. */
const SHARES: Readonly<Record<number, number>> = { 1: 4, 9: 4, 8: 2, 22: 2, 26: 3, 92: 1, 24: 1 };

const PEOPLE = [
  'Olena Kovalenko',
  'Taras Melnyk',
  'Iryna Bondar',
  'Jan Kowalski',
  'Marie Dubois',
  'Lukas Weber',
  'Sofia Rossi',
  'Ravi Kumar',
  'Priya Sharma',
  'Dana Akhmetova',
  'Aigul Saparova',
  'Emma Tremblay',
  'Liam Roy',
  'Anna Nowak',
];

const EXAMPLES = PROVIDERS.flatMap(({ payouts }) => payouts?.examples ?? []);
const CHOICES = EXAMPLES.flatMap((example) => Array.from({ length: SHARES[example.method] ?? 0 }, () => example));

export function orderPayout(random: Random): Example {
  const example = oneOf(CHOICES, random);
  const { account = '', full_name: name } = example.fields;
  const isCard = /^\d{16}$/.test(account);
  return {
    ...example,
    amount: amountLike(example.amount, random),
    fields: {
      ...example.fields,
      ...(isCard ? { account: cardLike(account, random) } : {}),
      ...(name === undefined ? {} : { full_name: oneOf(PEOPLE, random) }),
    },
  };
}

export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.fraction() * items.length)] as Item;
}

/** Returns a random amount between a third and four times `amount`. */
export function amountLike(amount: string, random: Random): string {
  const factor = 0.33 * 12 ** random.fraction();
  return (Number(amount) * factor).toFixed(2);
}

/** Returns one of forty cards of the same kind, so that some recipients are paid again. */
function cardLike(card: string, random: Random): string {
  const digits = card.slice(0, 12) + String(100 + Math.floor(random.fraction() * 40));
  const sum = [...digits].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}
