/**
 * Lists a merchant's deposits of a period by page. As in list-payouts.ts, each filter has its own statement with its own plan.
 */
import type { Deposit } from '../../domain/deposits/deposit.ts';
import type { DepositListQuery } from '../../domain/deposits/deposit-store.ts';
import type { Database } from '../core/database.ts';
import { findPosition } from '../core/list-position.ts';
import { timestamp } from '../core/parameters.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow } from './deposit-rows.ts';

/** A displaced success is listed as a failure, so that each order has at most one success (decision 34). */
const IN_PERIOD = `d.merchant_id = $1 and d.currency = $2 and d.created_at >= $3 and d.created_at < $4
  and (d.created_at, d.transaction_id) > ($3, $5)
  and case when d.displaced_by is null then d.state else 'fail' end = any($6::text[])`;

const PAGE = 'order by d.created_at, d.transaction_id limit $7';

const LISTS = {
  all: `select ${DEPOSIT_COLUMNS} from deposits as d where ${IN_PERIOD} ${PAGE}`,
  /** An order may have several deposits. */
  one: `select ${DEPOSIT_COLUMNS} from deposits as d where d.order_id = $8 and ${IN_PERIOD} ${PAGE}`,
} as const;

/** The states of a deposit as merchants see them: a deposit that is not open yet is pending. */
const STATES: Readonly<Record<DepositListQuery['state'], readonly string[]>> = {
  all: ['created', 'pending', 'success', 'fail'],
  pending: ['created', 'pending'],
  success: ['success'],
  fail: ['fail'],
};

export async function listDeposits(database: Database, query: DepositListQuery): Promise<Deposit[]> {
  const position = await findPosition(database, 'deposits', query);
  const list = query.orderId === null ? 'all' : 'one';
  const rows = await database.prepared<DepositRow>(`list-deposits-${list}`, LISTS[list], [
    query.merchantId,
    query.currency,
    timestamp(position.at),
    timestamp(query.to),
    position.transactionId,
    STATES[query.state],
    query.limit,
    ...(list === 'one' ? [query.orderId] : []),
  ]);
  return rows.map(depositFromRow);
}
