/**
 * The banks that a payer may choose among, for the bank picker and for the list that merchants load. Each process holds
 * the list in memory and asks nobody on a payer's way. The last good one lies in the database, so that a process that starts
 * while the provider is down has it too, and of several processes one asks the provider and the others read what it kept.
 */
import { type Clock, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { withDeadline } from '../../foundation/deadline.ts';
import { isId } from '../../foundation/identifiers.ts';
import type { BankListStore, KeptBankList } from './bank-list-store.ts';
import type { PayerBank, PaymentRail } from './payment-rail.ts';

/** From one look for a newer list to the next. */
export const LOOK_FOR_BANKS_EVERY_MS = 10 * MINUTE_MS;

/** A list of this age is asked for anew. */
const FRESH_MS = HOUR_MS;

/** Nobody waits for it, and it may come in many pages. */
const LISTING_MS = MINUTE_MS;

/** The provider gave no list, or none that anybody could use. */
export class NoBankList extends Error {
  override readonly name = 'NoBankList';
}

export interface BankDirectory {
  /** False: no rail of this gateway lets a payer choose a bank. */
  readonly isOffered: boolean;
  /** The last good list, by name; the same array until there is another. Empty before the first one. */
  banks(): readonly PayerBank[];
  /**
   * Takes the newer list of another process, or asks the provider where that one is too old. The list stays as it is when
   * that fails; then this throws NoBankList, or what the store throws. Two at once do the work once.
   */
  refresh(): Promise<void>;
}

export interface BankDirectoryParts {
  /** Undefined where no configured rail has banks to choose among. */
  readonly rail: BankListingRail | undefined;
  readonly store: BankListStore;
  readonly clock: Clock;
}

export type BankListingRail = Pick<PaymentRail, 'name'> & Required<Pick<PaymentRail, 'listBanks'>>;

/** The first of the rails whose payers choose a bank. */
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
    if (!listed.ok) throw new NoBankList(`${rail.name} gives no list of banks: ${listed.error}`);
    const list = { banks: usableBanks(listed.value).sort(byName), listedAt };
    if (list.banks.length === 0) throw new NoBankList(`${rail.name} lists no bank that could be chosen`);
    // In memory first: a list that can't be kept is still the best that there is.
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
 * What a payer could not choose is left out: a bank without a name, one whose identifier no `bank_id` can hold, and the
 * second of the same identifier and country.
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

/** One order in every process, whatever its own language: lists that are equal are the same bytes. */
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
