/** The SQL of the search, of `gateway find` and of the portal's search box. Each lookup is by a primary key. */
import type { SearchStore } from '../../domain/lists/search-store.ts';
import type { Database } from '../core/database.ts';

const PAYOUTS = 'select merchant_id, payout_id from rail_references where rail = any($1::text[]) and reference = $2';

const ATTEMPTS =
  'select merchant_id, transaction_id from payment_references where rail = any($1::text[]) and reference = $2';

const CLABES = 'select merchant_id, transaction_id from clabes where clabe = $1';

const TRANSFERS =
  'select rail, merchant_id from incoming_transfer_keys where rail = any($1::text[]) and transfer_key = $2';

const PAID =
  'select merchant_id, transaction_id from incoming_transfers where merchant_id = $1 and rail = $2 and transfer_key = $3';

interface DepositRow {
  readonly merchant_id: string;
  readonly transaction_id: bigint | null;
}

export function createSearchStore(database: Database): SearchStore {
  return {
    async find(rails, text) {
      const payouts = await database.query<{ merchant_id: string; payout_id: string }>(PAYOUTS, [rails, text]);
      const attempts = await database.query<DepositRow>(ATTEMPTS, [rails, text]);
      const addressed = await database.query<DepositRow>(CLABES, [text]);
      const keys = await database.query<{ rail: string; merchant_id: string }>(TRANSFERS, [rails, text]);
      const paid: DepositRow[] = [];
      for (const { rail, merchant_id } of keys)
        paid.push(...(await database.query<DepositRow>(PAID, [merchant_id, rail, text])));
      return {
        payouts: payouts.map((row) => ({ merchantId: row.merchant_id, payoutId: row.payout_id })),
        deposits: [...attempts, ...addressed, ...paid].flatMap((row) =>
          row.transaction_id === null
            ? []
            : [{ merchantId: row.merchant_id, transactionId: Number(row.transaction_id) }],
        ),
      };
    },
  };
}
