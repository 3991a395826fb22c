/**
 * Locks callback lanes. A transaction skips a locked lane and retries it later. Batches of lanes thus never deadlock, and a
 * commit that hangs delays only its own merchant.
 */
import type { MerchantId } from '../../foundation/identifiers.ts';
import { createClusterQuestion } from '../cluster/distribution.ts';
import type { Database, Queryable } from '../core/database.ts';

const LOCK = `
select merchant_id from callback_lanes where merchant_id = any($1::text[]) for no key update skip locked`;
const LOCK_ONE = 'select merchant_id from callback_lanes where merchant_id = $1 for no key update skip locked';

/** Locks lanes until the end of the transaction. Gives the merchants of the locked lanes. */
export type LockLanes = (transaction: Queryable, merchants: readonly MerchantId[]) => Promise<MerchantId[]>;

/** Citus allows SKIP LOCKED only with a filter on one merchant, so on a cluster each lane takes its own statement. */
export function createLaneLock(database: Database): LockLanes {
  const isCluster = createClusterQuestion(database);
  return async (transaction, merchants) => {
    if (!(await isCluster())) {
      const rows = await transaction.prepared<{ merchant_id: string }>('lock-lanes', LOCK, [merchants]);
      return rows.map((row) => row.merchant_id);
    }
    const locked: MerchantId[] = [];
    for (const merchant of merchants) {
      if ((await transaction.prepared('lock-lane', LOCK_ONE, [merchant])).length > 0) locked.push(merchant);
    }
    return locked;
  };
}
