/** Selects the banks that the picker shows: those that match the search, by country, up to a page's limit. */
import type { PayerBank } from '../../../domain/payments/payment-rail.ts';
import type { BankGroup } from '../pages/page-view.ts';
import { foldName, LETTERS, SPELLINGS } from './fold-name.ts';

/** With this many banks, the compressed page and its files stay under 20 kB. */
const MOST_SHOWN = 250;

interface FoundBanks {
  /** The payer's country first, then by code. */
  readonly groups: readonly BankGroup[];
  readonly moreBanks: number;
}

/**
 * Searches names and BICs. Each word of `search` must occur in them. Banks of the payer's country come first. A bank
 * of several countries appears once.
 */
export function findBanks(banks: readonly PayerBank[], search: string, country: string): FoundBanks {
  const fold = (text: string) => foldName(text, LETTERS, SPELLINGS);
  const words = fold(search).split(/\s+/);
  const found = banks.filter(({ name, bic }) => {
    const text = fold(`${name} ${bic}`);
    return words.every((word) => text.includes(word));
  });
  const home = country.toUpperCase();
  const rank = (code: string) => (code === home ? '' : code);
  const sorted = found.toSorted((one, other) =>
    rank(one.country) < rank(other.country) ? -1 : Number(one.country !== other.country),
  );
  const seen = new Set<string>();
  const distinct = sorted.filter(({ bankId }) => !seen.has(bankId) && seen.add(bankId));
  const shown = Map.groupBy(distinct.slice(0, MOST_SHOWN), (bank) => bank.country);
  return {
    groups: [...shown].map(([code, group]) => ({
      country: code,
      banks: group.map(({ bankId, name, bic }) => ({ bankId, name, bic })),
    })),
    moreBanks: Math.max(0, distinct.length - MOST_SHOWN),
  };
}
