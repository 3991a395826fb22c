/**
 * The banks that a payer can choose, for the bank picker and the merchants' list. Each process holds the list in memory, so
 * that no payer waits for a provider. The database stores the last good list, for processes that start while the provider is
 * down. One process queries the provider, and the others read the stored list.
 */
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import { withDeadline } from '../../../foundation/deadline.ts';
import { isId } from '../../../foundation/identifiers.ts';
import type { PayerBank, PaymentRail } from '../payment-rail.ts';
import type { BankListStore, KeptBankList } from './bank-list-store.ts';

/** The interval between checks for a newer list. */
export const LOOK_FOR_BANKS_EVERY_MS = 10 * MINUTE_MS;

/** A list of this age is stale. */
const FRESH_MS = HOUR_MS;

/** No payer waits for the request, and the list may have many pages. */
const LISTING_MS = MINUTE_MS;

/** The provider returned no list, or an unusable one. */
export class NoBankList extends Error {
  override readonly name = 'NoBankList';
}

export interface BankDirectory {
  /** False if no rail of this gateway lets a payer choose a bank. */
  readonly isOffered: boolean;
  /**
   * Returns the last good list, sorted by name. It is the same array until the list changes, and empty before the first list.
   */
  banks(): readonly PayerBank[];
  /**
   * Loads a newer list from another process, or queries the provider if that list is stale. On failure the list stays, and
   * this throws NoBankList or the store's error. Concurrent calls share the work.
   */
  refresh(): Promise<void>;
}

interface BankDirectoryParts {
  /** Undefined if no configured rail lets a payer choose a bank. */
  readonly rail: BankListingRail | undefined;
  readonly store: BankListStore;
  readonly clock: Clock;
}

export type BankListingRail = Pick<PaymentRail, 'name'> & Required<Pick<PaymentRail, 'listBanks'>>;

/** Returns the first rail whose payers choose a bank. */
export function findBankListingRail(rails: readonly PaymentRail[]): BankListingRail | undefined {
  return rails.find((rail): rail is PaymentRail & BankListingRail => rail.listBanks !== undefined);
}

export function createBankDirectory({ rail, store, clock }: BankDirectoryParts): BankDirectory {
  let banks: readonly PayerBank[] = [];
  let adoptedOf = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function refresh({ name }: BankListingRail): Promise<void> {
    const kept = await store.find(name);
    if (kept && kept.listedAt > adoptedOf) adopt(kept);
    if (adoptedOf + FRESH_MS <= clock.now()) await ask();
  }

  async function ask(): Promise<void> {
    if (!rail) return;
    const listedAt = clock.now();
    const listed = await withDeadline(clock, LISTING_MS, (deadline) => rail.listBanks(deadline));
    if (!listed.ok) throw new NoBankList(`${rail.name} did not return a bank list: ${listed.error}`);
    const list = { banks: usableBanks(listed.value).sort(byName), listedAt };
    if (list.banks.length === 0) throw new NoBankList(`${rail.name} lists no bank that a payer could choose`);
    // Keeps the list in memory first, because a list that the store rejects is still the best one.
    adopt(list);
    await store.keep(rail.name, list);
  }

  function adopt(list: KeptBankList): void {
    banks = list.banks;
    adoptedOf = list.listedAt;
  }

  return {
    isOffered: rail !== undefined,
    banks: () => banks,
    async refresh() {
      if (!rail) return;
      refreshing ??= refresh(rail).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    },
  };
}

const BIC = /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/;
const LONGEST_NAME = 140;

/**
 * Omits banks that a payer could not choose: without a name, with an identifier that does not fit `bank_id`, or with the
 * identifier and country of another bank.
 */
function usableBanks(listed: readonly PayerBank[]): PayerBank[] {
  const usable = new Map<string, PayerBank>();
  for (const { bankId, name, country, bic } of listed) {
    const shown = name
      .replace(/\p{Cf}/gu, '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    const isUsable = isId(bankId) && shown !== '' && shown.length <= LONGEST_NAME && /^[A-Z]{2}$/.test(country);
    const key = `${country}/${bankId}`;
    if (isUsable && !usable.has(key)) usable.set(key, { bankId, name: shown, country, bic: BIC.test(bic) ? bic : '' });
  }
  return [...usable.values()];
}

/** The same order in every process, whatever its locale, so that equal lists have equal bytes. */
const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function byName(one: PayerBank, other: PayerBank): number {
  return (
    names.compare(one.name, other.name) || compare(one.country, other.country) || compare(one.bankId, other.bankId)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
