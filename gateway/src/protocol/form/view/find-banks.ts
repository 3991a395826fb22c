/** The banks as the picker shows them: those that a payer may mean, and not more than a page should hold. */
import type { PayerBank } from '../../../domain/payments/payment-rail.ts';
import type { ShownBank } from '../pages/page-view.ts';

/** Some 350 bytes each: with so many the page stays under 50 KB. */
const MOST_SHOWN = 80;

export interface FoundBanks {
  readonly banks: readonly ShownBank[];
  readonly moreBanks: number;
}

/**
 * By name and BIC; each word of `search` has to be somewhere in them. Those of the payer's country come first, and one that
 * is in several countries comes once.
 */
export function findBanks(banks: readonly PayerBank[], search: string, country: string): FoundBanks {
  const words = plain(search).split(/\s+/);
  const found = banks.filter(({ name, bic }) => {
    const text = plain(`${name} ${bic}`);
    return words.every((word) => text.includes(word));
  });
  const home = country.toUpperCase();
  const sorted = [...found.filter((bank) => bank.country === home), ...found.filter((bank) => bank.country !== home)];
  const distinct = [...new Map(sorted.map(({ bankId, name, bic }) => [bankId, { bankId, name, bic }])).values()];
  const shown = distinct.slice(0, MOST_SHOWN);
  return { banks: shown, moreBanks: distinct.length - shown.length };
}

/** Without case and without accents, as people type. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
