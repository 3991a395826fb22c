/** Pauses in PostgreSQL, and the waking of what they held back. */

import { RAIL_DOWN_NOTE } from '../../domain/payouts/payout-job-store.ts';
import type { Pause, PauseScope, PauseStore } from '../../domain/routing/pauses.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { type Database, type Queryable, timestamp } from '../core/database.ts';

/** Which payouts a pause of that scope holds back, or a rail that is down. */
const WAITING: Readonly<Record<PauseScope | 'down', string>> = {
  merchant: 'merchant_id = $1',
  method: 'method = $1::smallint',
  rail: 'rail = $1',
  down: `rail = $1 and note = '${RAIL_DOWN_NOTE}'`,
};

export function createPauseStore(database: Database): PauseStore {
  return {
    list: () => database.query<Pause>('select scope, target, since, reason from pauses order by since, scope, target'),
    pause: async ({ scope, target, since, reason }) => {
      const added = await database.query(
        'insert into pauses (scope, target, since, reason) values ($1, $2, $3, $4) on conflict do nothing returning 1',
        [scope, target, timestamp(since), reason],
      );
      return added.length > 0;
    },
    resume: (scope, target, dueAt) =>
      database.transaction(async (transaction) => {
        const lifted = await transaction.query('delete from pauses where scope = $1 and target = $2 returning 1', [
          scope,
          target,
        ]);
        return lifted.length > 0 ? wakeWaiting(transaction, scope, target, dueAt) : undefined;
      }),
  };
}

/** Rows are locked in the order of their keys, as everywhere; and merchant by merchant, as a cluster has it. */
export async function wakeWaiting(
  transaction: Queryable,
  scope: keyof typeof WAITING,
  target: string,
  dueAt: number,
): Promise<number> {
  const merchants = await transaction.query<{ merchant_id: string }>(
    `select distinct merchant_id from payout_jobs
     where stage = 'queued' and (due_at > $2 or note <> '') and ${WAITING[scope]} order by merchant_id`,
    [target, timestamp(dueAt)],
  );
  let woken = 0;
  for (const { merchant_id: merchantId } of merchants) {
    woken += await wakeMerchant(transaction, merchantId, scope, target, dueAt);
  }
  return woken;
}

/**
 * What has a note was looked at a moment ago, and would be again before everybody knows: it waits until then as well.
 * The fence moves too: a worker that has claimed the payout and is about to put it off for the pause that is gone loses
 * its hold. One that is about to send loses it as well, before any bank was told, and the payout is taken again.
 */
async function wakeMerchant(
  transaction: Queryable,
  merchantId: MerchantId,
  scope: keyof typeof WAITING,
  target: string,
  dueAt: number,
): Promise<number> {
  const woken = await transaction.query(
    `with waiting as materialized (
       select merchant_id, payout_id from payout_jobs
       where merchant_id = $3 and stage = 'queued' and (due_at > $2 or note <> '') and ${WAITING[scope]}
       order by payout_id for update)
     update payout_jobs as j set due_at = $2, fence = j.fence + 1, note = '' from waiting as w
     where j.merchant_id = $3 and j.merchant_id = w.merchant_id and j.payout_id = w.payout_id and j.stage = 'queued'
     returning 1`,
    [target, timestamp(dueAt), merchantId],
  );
  return woken.length;
}
