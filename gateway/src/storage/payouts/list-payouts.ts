/**
 * Lists a merchant's payouts of a period by page. Each filter has its own statement, which reads little more than its result.
 * A single statement with optional conditions would have one plan, made for the worst case.
 */
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutListQuery } from '../../domain/payouts/payout-store.ts';
import type { Database } from '../core/database.ts';
import { findPosition } from '../core/list-position.ts';
import { timestamp } from '../core/parameters.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

const IN_PERIOD = `p.merchant_id = $1 and p.currency = $2 and p.accepted_at >= $3 and p.accepted_at < $4
  and (p.accepted_at, p.transaction_id) > ($3, $5) and p.purpose = 'payout'`;

const PAGE = 'order by p.accepted_at, p.transaction_id limit $6';

const LISTS = {
  all: `select ${PAYOUT_COLUMNS} from payouts as p where ${IN_PERIOD} ${PAGE}`,
  /** A pending payout has a job, and there are few jobs. */
  pending: `select ${PAYOUT_COLUMNS} from payout_jobs as j join payouts as p using (merchant_id, payout_id)
    where j.merchant_id = $1 and p.state = 'pending' and ${IN_PERIOD} ${PAGE}`,
  success: `select ${PAYOUT_COLUMNS} from payouts as p where p.state = 'success' and ${IN_PERIOD} ${PAGE}`,
  blocked: `select ${PAYOUT_COLUMNS} from payouts as p where p.state = 'blocked' and ${IN_PERIOD} ${PAGE}`,
  one: `select ${PAYOUT_COLUMNS} from payouts as p where p.payout_id = $7 and ($8 = 'all' or p.state = $8) and ${IN_PERIOD} ${PAGE}`,
} as const;

export async function listPayouts(database: Database, query: PayoutListQuery): Promise<Payout[]> {
  const position = await findPosition(database, 'payouts', query);
  const list = query.payoutId === null ? query.state : 'one';
  const rows = await database.prepared<PayoutRow>(`list-payouts-${list}`, LISTS[list], [
    query.merchantId,
    query.currency,
    timestamp(position.at),
    timestamp(query.to),
    position.transactionId,
    query.limit,
    ...(list === 'one' ? [query.payoutId, query.state] : []),
  ]);
  return rows.map(payoutFromRow);
}
