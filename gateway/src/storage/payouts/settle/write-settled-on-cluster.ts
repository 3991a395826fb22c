/**
 * Writes settled payouts on a cluster, in one transaction. Each insert is a statement of its own: Citus sends the rows that an insert
 * reads from a `with` query to all servers, so the single statement (write-settled.ts) would fail while any server is unreachable.
 */
import { insertCallbacksOnCluster } from '../../callbacks/callback-store.ts';
import type { Queryable } from '../../core/database.ts';
import { columnArrays, elementRows, unnestFrom } from '../../core/parameters.ts';
import { addTransfersOnCluster } from '../../ledger/add-transfers-on-cluster.ts';
import { UNTIED_TRANSFER_TYPES } from '../../ledger/ledger-posting.ts';
import { keyFromRow, keyText, type PayoutKeyRow } from '../payout-rows.ts';
import {
  CHANGES,
  changeValues,
  FINISHED,
  HAS_TOKEN,
  INSERT_ADJUSTMENTS,
  INSERT_EXPIRIES,
  INSERT_HISTORY,
  IS_ADJUSTED,
  keysOf,
  SETTLED,
  type SettledBatch,
} from './write-settled.ts';

const CHANGE = `${CHANGES} ${FINISHED}`;

const ENTERED = unnestFrom(1, SETTLED);
const INSERTS: readonly (readonly [string, string])[] = [
  ['cluster-expiries', `${INSERT_EXPIRIES} ${ENTERED} ${HAS_TOKEN}`],
  ['cluster-history', `${INSERT_HISTORY} ${ENTERED}`],
  ['cluster-adjustments', `${INSERT_ADJUSTMENTS} ${ENTERED} ${IS_ADJUSTED}`],
];

/** Returns the keys of payouts that are final now. */
export async function writeOnCluster(transaction: Queryable, batch: SettledBatch): Promise<Set<string>> {
  const finished = keysOf(await transaction.prepared<PayoutKeyRow>('cluster-settle', CHANGE, changeValues(batch)));
  const entered = batch.settled.filter((row) => !row['state'] || finished.has(textOf(row)));
  if (entered.length === 0) return finished;
  const values = columnArrays(entered, SETTLED);
  for (const [name, text] of INSERTS) await transaction.prepared(name, text, values);
  const keys = new Set(entered.map(textOf));
  const transfers = batch.transfers.filter((row) => keys.has(textOf(row)));
  const merchants = [...new Set(transfers.map((row) => String(row.merchant_id)))];
  await addTransfersOnCluster(transaction, merchants, elementRows(transfers, UNTIED_TRANSFER_TYPES));
  await insertCallbacksOnCluster(
    transaction,
    batch.callbacks.filter((row) => keys.has(textOf(row))),
  );
  return finished;
}

const textOf = (row: object) => keyText(keyFromRow(row as PayoutKeyRow));
