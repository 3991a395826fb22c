/**
 * Finds where a page of a list begins. Lists are ordered by the payments' time, and payments of the same time by their number.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Database } from './database.ts';

/** The position is exclusive. */
interface ListPosition {
  readonly at: Instant;
  readonly transactionId: number;
}

const BEFORE_ALL = -1;

/** The time of each listed payment, by table. An index holds both columns after the merchant. */
const NEWEST_UP_TO = {
  payouts: `select accepted_at as at, transaction_id from payouts
    where merchant_id = $1 and transaction_id <= $2 order by transaction_id desc limit 1`,
  deposits: `select created_at as at, transaction_id from deposits
    where merchant_id = $1 and transaction_id <= $2 order by transaction_id desc limit 1`,
} as const;

/**
 * `after` is the number of the last payment that the merchant read, or null. If the merchant has no such payment, the nearest
 * lower number is used.
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
