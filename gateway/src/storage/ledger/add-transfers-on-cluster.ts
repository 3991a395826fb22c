/**
 * Inserts transfers on a cluster, by statements that query only the servers of their merchants. One server does the same within each
 * posting statement (ADD_TRANSFERS).
 */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Queryable } from '../core/database.ts';
import { arrayElement, arraysOf, timestamp, unnestFrom } from '../core/parameters.ts';
import { UNTIED_TRANSFER_TYPES } from './ledger-posting.ts';

const CLOSINGS = 'select merchant_id, closing_until from ledger_closings where merchant_id = any($1::text[])';

const CLOSED_TRANSFER = { ...UNTIED_TRANSFER_TYPES, closing_until: 'timestamptz' };
const ADD = `
insert into ledger_transfers
  (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, posted_at)
select merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, greatest(posted_at, closing_until)
from ${unnestFrom(1, CLOSED_TRANSFER)}`;

/** `transfers`: rows of array elements in the order of UNTIED_TRANSFER_TYPES. */
export async function addTransfersOnCluster(
  transaction: Queryable,
  merchants: readonly MerchantId[],
  transfers: readonly (readonly string[])[],
): Promise<void> {
  const closings = await readClosings(transaction, merchants);
  const rows = transfers.map((row) => [...row, closings.get(row[0] ?? '') ?? 'NULL']);
  await transaction.prepared('cluster-add', ADD, arraysOf(rows, Object.keys(CLOSED_TRANSFER).length));
}

/** By the merchant's element. */
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
