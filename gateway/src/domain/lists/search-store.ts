/** The port for the search by references of banks and providers. */
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { DepositKey } from '../deposits/deposit.ts';

/** The owner of a reference at a bank, at a provider or of a transfer, from the directories. */
export interface SearchStore {
  find(
    rails: readonly string[],
    text: string,
  ): Promise<{
    readonly payouts: readonly PayoutKey[];
    readonly deposits: readonly DepositKey[];
  }>;
}
