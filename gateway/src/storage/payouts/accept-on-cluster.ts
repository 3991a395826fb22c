/**
 * The usual acceptance on a cluster, in one transaction of simple statements. Citus sends the result of each common table
 * expression to all servers before an insert, so one statement would fail while any server is unreachable.
 */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { arrayElement, arraysOf, ESTIMATED_AS_ONE_ROW, timestamp, unnestFrom } from '../core/parameters.ts';
import { lockMerchants } from '../ledger/ledger-posting.ts';
import {
  type AcceptedRows,
  CHANGE,
  INSERT_JOBS,
  INSERT_PAYOUTS,
  INSERT_SEALED,
  PAYOUT,
  TRANSFER,
} from './accept-at-once.ts';

/** Like the single statement (accept-at-once.ts), with the merchants as a parameter, so that only their servers are asked. */
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

const CLOSINGS = 'select merchant_id, closing_until from ledger_closings where merchant_id = any($1::text[])';

const CLOSED_TRANSFER = { ...TRANSFER, closing_until: 'timestamptz' };
const ADD = `
insert into ledger_transfers
  (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, posted_at)
select merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, greatest(posted_at, closing_until)
from ${unnestFrom(1, CLOSED_TRANSFER)}`;

const ROWS = unnestFrom(1, PAYOUT);
const INSERTS: readonly (readonly [string, string])[] = [
  ['cluster-insert-payouts', `${INSERT_PAYOUTS} ${ROWS}`],
  ['cluster-insert-sealed', `${INSERT_SEALED} ${ROWS} where vault_token is not null`],
  ['cluster-insert-jobs', `${INSERT_JOBS} ${ROWS}`],
];

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
    const closings = await readClosings(transaction, merchants);
    const rows = transfers.map((row) => [...row, closings.get(row[0] ?? '') ?? 'NULL']);
    await transaction.prepared('cluster-add', ADD, arraysOf(rows, Object.keys(CLOSED_TRANSFER).length));
  });
}

/** Returns the closings by the merchant's element. */
async function readClosings(
  transaction: Queryable,
  merchants: readonly MerchantId[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.prepared<{ merchant_id: MerchantId; closing_until: number }>(
    'cluster-closings',
    CLOSINGS,
    [merchants],
  );
  return new Map(rows.map((row) => [arrayElement(row.merchant_id), arrayElement(timestamp(row.closing_until))]));
}
