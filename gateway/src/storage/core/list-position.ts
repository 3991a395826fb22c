/** Where a page of a list begins: lists go by the time of a payment, and by its number where two have the same time. */
import type { Instant } from '../../foundation/clock.ts';
import type { Database } from './database.ts';

/** Exclusive. */
export interface ListPosition {
  readonly at: Instant;
  readonly transactionId: number;
}

const BEFORE_ALL = -1;

/** Each merchant-owned table that is listed, by its time. Both columns stand in an index behind the merchant. */
const NEWEST_UP_TO = {
  payouts: `select accepted_at as at, transaction_id from payouts
    where merchant_id = $1 and transaction_id <= $2 order by transaction_id desc limit 1`,
  deposits: `select created_at as at, transaction_id from deposits
    where merchant_id = $1 and transaction_id <= $2 order by transaction_id desc limit 1`,
} as const;

/**
 * `after`: the number of the last payment that was read, or null. One that is none of the merchant's stands for the last
 * below it.
 */
export async function findPosition(
  database: Database,
  table: keyof typeof NEWEST_UP_TO,
  { merchantId, from, after }: { readonly merchantId: string; readonly from: Instant; readonly after: number | null },
): Promise<ListPosition> {
  const start = { at: from, transactionId: BEFORE_ALL };
  if (after === null) return start;
  const [row] = await database.prepared<{ at: Instant; transaction_id: bigint }>(
    `find-position-in-${table}`,
    NEWEST_UP_TO[table],
    [merchantId, after],
  );
  return !row || row.at < from ? start : { at: row.at, transactionId: Number(row.transaction_id) };
}
