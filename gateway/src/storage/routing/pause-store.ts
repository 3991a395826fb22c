/** Stores pauses in PostgreSQL and makes payouts due when a pause ends. */

import { type HoldEnd, reasonsEndedBy } from '../../domain/payouts/hold-reasons.ts';
import type { Pause, PauseScope, PauseStore } from '../../domain/routing/pause-store.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { LOCK_ORDER } from '../core/lock-order.ts';
import { timestamp } from '../core/parameters.ts';

const IN_SCOPE: Readonly<Record<PauseScope, string>> = {
  merchant: 'merchant_id = $1',
  method: 'method = $1::smallint',
  purpose: 'purpose = $1',
  rail: 'rail = $1',
};

const LIFT = 'delete from pauses where scope = $1 and target = $2 returning 1';

/**
 * Returns the queued payouts of a scope that become due when a hold ends: those held for its reasons ($3), and those that may
 * be held soon.
 */
function waitingFor(end: HoldEnd, scope: PauseScope): string {
  const mayBeSoon = end === 'rail_is_back' ? 'false' : 'held_because is null';
  return `stage = 'queued' and (held_because = any($3::text[]) or (${mayBeSoon} and due_at > $2)) and ${IN_SCOPE[scope]}`;
}

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
        const lifted = await transaction.query(LIFT, [scope, target]);
        return lifted.length > 0 ? wakeWaiting(transaction, 'resume', scope, target, dueAt) : undefined;
      }),
  };
}

/** Locks rows in the order of LOCK_ORDER, and merchant by merchant, as Citus requires. */
export async function wakeWaiting(
  transaction: Queryable,
  end: HoldEnd,
  scope: PauseScope,
  target: string,
  dueAt: number,
): Promise<number> {
  const waiting = waitingFor(end, scope);
  const values = [target, timestamp(dueAt), reasonsEndedBy(end)];
  const merchants = await transaction.query<{ merchant_id: string }>(
    `select merchant_id from payout_jobs where ${waiting} group by merchant_id order by merchant_id collate "C"`,
    values,
  );
  let woken = 0;
  for (const { merchant_id: merchantId } of merchants) {
    woken += await wakeMerchant(transaction, merchantId, waiting, values);
  }
  return woken;
}

/**
 * A held payout was claimed recently and could be claimed again before all workers know of the resume. So it also waits until
 * then. The new fence ends the lease of a worker that is about to postpone the payout for the old pause. It also ends the
 * lease of a worker that is about to send, before any bank has received the payout. The payout is then claimed again.
 */
async function wakeMerchant(
  transaction: Queryable,
  merchantId: MerchantId,
  waiting: string,
  values: readonly unknown[],
): Promise<number> {
  const woken = await transaction.query(
    `with waiting as materialized (
       select merchant_id, payout_id from payout_jobs
       where merchant_id = $4 and ${waiting}
       order by ${LOCK_ORDER} for update)
     update payout_jobs as j set due_at = $2, fence = j.fence + 1, note = '', held_because = null from waiting as w
     where j.merchant_id = $4 and j.merchant_id = w.merchant_id and j.payout_id = w.payout_id and j.stage = 'queued'
     returning 1`,
    [...values, merchantId],
  );
  return woken.length;
}
