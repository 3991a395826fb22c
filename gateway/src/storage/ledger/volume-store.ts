/** Reads the volumes of closed hours, added up per hour, day or week. */
import type { Volume } from '../../domain/ledger/volume.ts';
import type { VolumeStore } from '../../domain/ledger/volume-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

export function createVolumeStore(database: Database): VolumeStore {
  return {
    async volumes({ merchantId, from, until, grain }, limit) {
      const values = [timestamp(from), timestamp(until), grain, limit];
      const rows =
        merchantId === null
          ? await database.query<VolumeRow>(volumesOf(''), values)
          : await database.query<VolumeRow>(volumesOf('merchant_id = $5 and '), [...values, merchantId]);
      return rows.map(({ payments, waits, ...row }) => ({
        ...row,
        payments: Number(payments),
        waits: waits.every((count) => count === null) ? [] : waits.map((count) => Number(count ?? 0)),
      }));
    },
    async closedUntil(merchantId) {
      const [row] =
        merchantId === null
          ? await database.query<{ until: number | null }>(`select min(closed_until) as until from ledger_closings`)
          : await database.query<{ until: number | null }>(
              'select closed_until as until from ledger_closings where merchant_id = $1',
              [merchantId],
            );
      return row?.until ?? Number.NEGATIVE_INFINITY;
    },
    async waits(flow, rail, since) {
      const [row] = await database.query<{ waits: (string | null)[] }>(WAITS, [timestamp(since), flow, rail]);
      return row?.waits.every((count) => count === null) ? [] : (row?.waits ?? []).map((count) => Number(count ?? 0));
    },
  };
}

type VolumeRow = Omit<Volume, 'payments' | 'waits'> & { payments: string; waits: (string | null)[] };

const BUCKETS = Array.from({ length: 10 }, (_, index) => `sum(waits[${index + 1}])`).join(', ');

const volumesOf = (merchant: string) => `
select date_trunc($3, hour) as start, flow, method, rail, currency, state, sum(payments) as payments,
  sum(amount)::bigint as amount, sum(fee)::bigint as fee, array[${BUCKETS}] as waits
from payment_volumes where ${merchant}hour >= $1 and hour < $2
group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6 limit $4`;

const WAITS = `select array[${BUCKETS}] as waits from payment_volumes
where hour >= $1 and flow = $2 and rail = $3 and state in ('success', 'blocked')`;
