/**
 * The pool of addresses to which payers pay. A new number comes from a block in memory, so that merchants do not wait for each
 * other. A merchant gets one of its old addresses back only after all numbers are used up.
 */
import type { AddressSpace } from '../../domain/deposits/deposit-rail.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { createBlocks, SEQUENCES } from '../core/sequences.ts';

interface AddressPool {
  allocate(space: AddressSpace, merchantId: MerchantId, now: Instant): Promise<string | undefined>;
  /** Releases an address that was allocated but belongs to no deposit. */
  release(address: string): Promise<void>;
  used(): Promise<number>;
}

export function createAddressPool(database: Database): AddressPool {
  const nextNumber = createBlocks(database, SEQUENCES.addresses);
  /** New addresses that have no deposit. */
  const released: string[] = [];
  let isUsedUp = false;

  async function allocateNew(space: AddressSpace): Promise<string | undefined> {
    const again = released.pop();
    if (again !== undefined || isUsedUp) return again;
    const number = await nextNumber();
    isUsedUp = number >= space.capacity;
    return isUsedUp ? undefined : space.addressOf(number);
  }

  return {
    async allocate(space, merchantId, now) {
      return (await allocateNew(space)) ?? reuse(database, merchantId, now);
    },
    async release(address) {
      const [rested] = await database.prepared('release-address', RELEASE, [address]);
      if (!rested) released.push(address);
    },
    async used() {
      const [row] = await database.query<{ used: bigint }>(USED, [SEQUENCES.addresses.blockSize]);
      return Number(row?.used ?? 0);
    },
  };
}

const USED = 'select case when is_called then last_value + $1 else 0 end as used from clabe_numbers';

/** Reuses one of the merchant's own addresses after its pause. It is unavailable until its deposit sets the next time. */
const REUSE = `
update clabes set reusable_at = 'infinity'
where clabe = (select clabe from clabes where merchant_id = $1 and reusable_at <= $2 order by reusable_at limit 1)
  and reusable_at <= $2
returning clabe`;

/** Makes an address reusable, also one that was reusable before. A new address has no row in the directory yet. */
const RELEASE = `update clabes set reusable_at = assigned_at where clabe = $1 and reusable_at = 'infinity' returning clabe`;

async function reuse(database: Database, merchantId: MerchantId, now: Instant): Promise<string | undefined> {
  const [row] = await database.prepared<{ clabe: string }>('reuse-address', REUSE, [merchantId, timestamp(now)]);
  return row?.clabe;
}
