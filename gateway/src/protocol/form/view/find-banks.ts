/** Selects the banks that the picker shows: those that match the search, up to a page's limit. */
import type { PayerBank } from '../../../domain/payments/payment-rail.ts';
import type { ShownBank } from '../pages/page-view.ts';

/** Each bank takes about 350 bytes, so the page stays under 50 KB. */
const MOST_SHOWN = 80;

export interface FoundBanks {
  readonly banks: readonly ShownBank[];
  readonly moreBanks: number;
}

/**
 * Searches names and BICs. Each word of `search` must occur in them. Banks of the payer's country come first. A bank
 * of several countries appears once.
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

/** Ignores case and accents, because people search without them. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
