/** Reads the payouts that await their approval. Their number is the backlog of the approvers. */
import type { ApprovalPlace, ApprovalStore } from '../../../domain/payouts/approval/approval-store.ts';
import { ofReachable, sweep, textsOf } from '../../cluster/across-servers.ts';
import type { Database } from '../../core/database.ts';
import { timestamp } from '../../core/parameters.ts';
import { keyFromRow, PAYOUT_COLUMNS, type PayoutKeyRow, type PayoutRow, payoutFromRow } from '../payout-rows.ts';

const LAPSED = textsOf(
  (servers) => `
select merchant_id, payout_id, approve_by from payout_jobs
where stage = 'awaiting_approval' and approve_by <= $1 and (approve_by, merchant_id, payout_id) > ($2, $3, $4)${ofReachable(servers, 'payout_jobs', '$6')}
order by approve_by, merchant_id, payout_id limit $5`,
);

const awaiting = (ofMerchant: string) => `
select ${PAYOUT_COLUMNS}, j.approve_by from payout_jobs as j join payouts as p using (merchant_id, payout_id)
where j.stage = 'awaiting_approval' ${ofMerchant} and (j.approve_by, j.merchant_id, j.payout_id) > ($1, $2, $3)
order by j.approve_by, j.merchant_id, j.payout_id limit $4`;

const AWAITING = awaiting('');
const AWAITING_OF_MERCHANT = awaiting('and j.merchant_id = $5');

const START: ApprovalPlace = { approveBy: 0, merchantId: '', payoutId: '' };

export function createApprovalStore(database: Database): ApprovalStore {
  return {
    async lapsed(now, after, limit) {
      const rows = await sweep<PayoutKeyRow & { approve_by: number }>(database, LAPSED, [
        timestamp(now),
        ...placeOf(after),
        limit,
      ]);
      return rows.map((row) => ({ ...keyFromRow(row), approveBy: row.approve_by }));
    },
    async awaiting({ merchantId, after, limit }) {
      type Row = PayoutRow & { approve_by: number };
      const values = [...placeOf(after), limit];
      const rows = await (merchantId === null
        ? database.query<Row>(AWAITING, values)
        : database.query<Row>(AWAITING_OF_MERCHANT, [...values, merchantId]));
      return rows.map((row) => ({ payout: payoutFromRow(row), approveBy: row.approve_by }));
    },
  };
}

function placeOf(after: ApprovalPlace | null): unknown[] {
  const { approveBy, merchantId, payoutId } = after ?? START;
  return [timestamp(approveBy), merchantId, payoutId];
}
