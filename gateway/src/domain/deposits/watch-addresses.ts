/** Reports the share of used addresses of each rail, so that the operator is alerted in time to get more. */
import type { DepositRail } from './deposit-rail.ts';
import type { DepositStore } from './deposit-store.ts';

interface WatchAddressesParts {
  readonly store: Pick<DepositStore, 'addressesUsed'>;
  readonly rails: readonly Pick<DepositRail, 'name' | 'capacity'>[];
  readonly onAddressFill: (rail: string, used: number, capacity: number, isLow: boolean) => void;
}

/** Above this share, the gateway alerts the operator. */
const ADDRESSES_LOW = 0.8;

export async function watchAddresses({ store, rails, onAddressFill }: WatchAddressesParts): Promise<void> {
  const used = await store.addressesUsed();
  for (const { name, capacity } of rails) onAddressFill(name, used, capacity, used > capacity * ADDRESSES_LOW);
}
