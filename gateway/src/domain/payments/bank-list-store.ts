/** Where the last good list of banks is kept, for all processes and across restarts. */
import type { Instant } from '../../foundation/clock.ts';
import type { PayerBank } from './payment-rail.ts';

export interface KeptBankList {
  readonly banks: readonly PayerBank[];
  /** When the provider was asked for it. */
  readonly listedAt: Instant;
}

export interface BankListStore {
  find(rail: string): Promise<KeptBankList | undefined>;
  /** In place of an older list; a newer one stays. */
  keep(rail: string, list: KeptBankList): Promise<void>;
}
