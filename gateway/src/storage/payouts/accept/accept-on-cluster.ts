/**
 * The normal acceptance on a cluster, in one transaction of simple statements. Citus sends the result of each common table
 * expression to all servers before an insert, so one statement would fail while any server is unreachable.
 */
import { STEP_BY_STEP } from '../../core/cluster-text.ts';
import type { Database } from '../../core/database.ts';
import { arraysOf, ESTIMATED_AS_ONE_ROW, unnestFrom } from '../../core/parameters.ts';
import { ADD_TRANSFERS, lockMerchants, UNTIED_TRANSFER_TYPES } from '../../ledger/ledger-posting.ts';
import { type AcceptedRows, CHANGE, INSERT_JOBS, INSERT_PAYOUTS, INSERT_SEALED, PAYOUT } from './accept-at-once.ts';

/**
 * Works like the single statement (accept-at-once.ts), with the merchants as a parameter, so that only their servers are
 * queried.
 */
const MOVE = `
update ledger_accounts as a set balance = a.balance + change.amount
from (select * from ${unnestFrom(1, CHANGE)} where ${ESTIMATED_AS_ONE_ROW}) as change
where a.merchant_id = any($1::text[]) and a.merchant_id = change.merchant_id and a.currency = change.currency
  and a.account = change.account
  and not exists (
    select from ledger_accounts as o
    where o.merchant_id = any($1::text[]) and o.merchant_id = a.merchant_id and o.currency = a.currency
      and o.account = 'owed' and o.balance < 0)
returning 1`;

const ROWS = unnestFrom(1, PAYOUT);
const INSERTS: readonly (readonly [string, string])[] = [
  ['cluster-insert-payouts', `${INSERT_PAYOUTS} ${ROWS}`],
  ['cluster-insert-sealed', `${INSERT_SEALED} ${ROWS} where vault_token is not null`],
  ['cluster-insert-jobs', `${INSERT_JOBS} ${ROWS}`],
];

const ADD = `${STEP_BY_STEP}
with posting as (select r.*, null::text as note from ${unnestFrom(2, UNTIED_TRANSFER_TYPES)}),
${ADD_TRANSFERS}
select 1`;

/** Rejects, without an effect, when a payout is repeated or not affordable, or an account is missing. */
export async function acceptOnCluster(
  database: Database,
  { merchants, payouts, transfers, changes }: AcceptedRows,
): Promise<void> {
  const values = arraysOf(payouts, Object.keys(PAYOUT).length);
  await database.transaction(async (transaction) => {
    await lockMerchants(transaction, merchants);
    const moved = await transaction.prepared('cluster-move', MOVE, arraysOf(changes, Object.keys(CHANGE).length));
    if (moved.length < changes.length) throw new Error('an account is missing, or its merchant has a debt');
    for (const [name, text] of INSERTS) await transaction.prepared(name, text, values);
    const lines = arraysOf(transfers, Object.keys(UNTIED_TRANSFER_TYPES).length);
    await transaction.prepared('cluster-add', ADD, [merchants, ...lines]);
  });
}
