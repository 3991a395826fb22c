/** The port for storing the last good bank list, for all processes and across restarts. */
import type { Instant } from '../../../foundation/clock.ts';
import type { PayerBank } from '../payment-rail.ts';

export interface KeptBankList {
  readonly banks: readonly PayerBank[];
  /** The time when the gateway queried the provider for it. */
  readonly listedAt: Instant;
}

export interface BankListStore {
  find(rail: string): Promise<KeptBankList | undefined>;
  /** Replaces an older list, but never a newer one. */
  keep(rail: string, list: KeptBankList): Promise<void>;
}
