/** Implements BankListStore over PostgreSQL, with one row per rail, so that a list is replaced atomically. */

import type { BankListStore } from '../../../domain/payments/banks/bank-list-store.ts';
import type { PayerBank } from '../../../domain/payments/payment-rail.ts';
import type { Database } from '../../core/database.ts';
import { timestamp } from '../../core/parameters.ts';

export function createBankListStore(database: Database): BankListStore {
  return {
    async find(rail) {
      const [row] = await database.query<{ banks: PayerBank[]; listed_at: number }>(
        'select banks, listed_at from payer_bank_lists where rail = $1',
        [rail],
      );
      return row && { banks: row.banks, listedAt: row.listed_at };
    },
    async keep(rail, { banks, listedAt }) {
      await database.query(
        `insert into payer_bank_lists as l (rail, banks, listed_at) values ($1, $2, $3)
         on conflict (rail) do update set banks = excluded.banks, listed_at = excluded.listed_at
         where l.listed_at < excluded.listed_at`,
        [rail, JSON.stringify(banks), timestamp(listedAt)],
      );
    },
  };
}
