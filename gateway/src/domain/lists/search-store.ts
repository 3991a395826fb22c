/** The port for the search by references of banks and providers. */
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { DepositKey } from '../deposits/deposit.ts';

/** Finds the owner of a reference in the directories: of a bank, a provider or a transfer. */
export interface SearchStore {
  find(
    rails: readonly string[],
    text: string,
  ): Promise<{
    readonly payouts: readonly PayoutKey[];
    readonly deposits: readonly DepositKey[];
  }>;
}
