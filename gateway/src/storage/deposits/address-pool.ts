/**
 * The pool of addresses that payers pay to. A new number is taken from a block in memory, so that nobody waits for
 * anybody; only when all numbers are used up does a merchant get an old address of their own back.
 */
import type { AddressSpace } from '../../domain/deposits/deposit-rail.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type Database, timestamp } from '../core/database.ts';
import { createBlocks } from '../core/sequence-blocks.ts';
import { SEQUENCES } from '../core/sequences.ts';

export interface AddressPool {
  take(space: AddressSpace, merchantId: MerchantId, now: Instant): Promise<string | undefined>;
  /** For an address that was taken and stands for no deposit after all. */
  release(address: string): Promise<void>;
  used(): Promise<number>;
}

export function createAddressPool(database: Database): AddressPool {
  const nextNumber = createBlocks(database, SEQUENCES.addresses);
  /** New addresses that no deposit has. */
  const released: string[] = [];
  let isUsedUp = false;

  async function takeNew(space: AddressSpace): Promise<string | undefined> {
    const again = released.pop();
    if (again !== undefined || isUsedUp) return again;
    const number = await nextNumber();
    isUsedUp = number >= space.capacity;
    return isUsedUp ? undefined : space.addressOf(number);
  }

  return {
    async take(space, merchantId, now) {
      return (await takeNew(space)) ?? reuse(database, merchantId, now);
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

/** Nobody else's, and rested: taking it puts it out of everybody's reach until a deposit says when it is free again. */
const REUSE = `
update clabes set reusable_at = 'infinity'
where clabe = (select clabe from clabes where merchant_id = $1 and reusable_at <= $2 order by reusable_at limit 1)
  and reusable_at <= $2
returning clabe`;

/** What had rested before has rested still. A new address is not in the directory yet. */
const RELEASE = `update clabes set reusable_at = assigned_at where clabe = $1 and reusable_at = 'infinity' returning clabe`;

async function reuse(database: Database, merchantId: MerchantId, now: Instant): Promise<string | undefined> {
  const [row] = await database.prepared<{ clabe: string }>('reuse-address', REUSE, [merchantId, timestamp(now)]);
  return row?.clabe;
}
