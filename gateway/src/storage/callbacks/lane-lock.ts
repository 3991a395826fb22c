/**
 * The lock of callback lanes. Who finds one locked passes it by and comes again: so batches of lanes deadlock with nobody,
 * and a commit that hangs holds up its own merchant only.
 */
import type { MerchantId } from '../../foundation/identifiers.ts';
import { createClusterQuestion } from '../cluster/distribution.ts';
import type { Database, Queryable } from '../core/database.ts';

const LOCK = `
select merchant_id from callback_lanes where merchant_id = any($1::text[]) for no key update skip locked`;
const LOCK_ONE = 'select merchant_id from callback_lanes where merchant_id = $1 for no key update skip locked';

/** Gives those of the merchants whose lanes are locked now, for the rest of the transaction. */
export type LockLanes = (transaction: Queryable, merchants: readonly MerchantId[]) => Promise<MerchantId[]>;

/** A cluster passes nobody by but where one merchant is named, so there each is asked about alone. */
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
