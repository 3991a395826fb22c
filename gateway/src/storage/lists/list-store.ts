/** Implements ListStore over PostgreSQL: chooses the shape whose index serves a query best. */
import type { ListQuery, ListStore } from '../../domain/lists/list-store.ts';
import type { Database } from '../core/database.ts';
import { MOST_CHECKED, readPage } from './keyset-list.ts';
import {
  CALLBACKS,
  DEPOSITS,
  HELD_TRANSFERS,
  LEDGER,
  OWN_LEDGER,
  OWN_PAYOUTS,
  PAYMENTS,
  PAYOUTS,
  PENDING_PAYOUTS,
  REFUNDS,
  REQUESTS,
  TRANSFERS,
  UNFINISHED_CALLBACKS,
} from './list-shapes.ts';

/** The states of callbacks that an index of their own holds. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['due', 'undelivered']);
/** The states of money that came in and is still held, or was. Each is a held row for the database. */
const HELD_STATES: ReadonlySet<unknown> = new Set(['held', 'returning', 'returned', 'taken_back']);

export function createListStore(database: Database): ListStore {
  return {
    async payouts(query) {
      const { state, purpose } = query.filters;
      if (purpose === 'return' || purpose === 'refund') return readPage(database, OWN_PAYOUTS, query);
      const isPending = state === 'pending' && (await hasFewJobs(database, query));
      return readPage(database, isPending ? PENDING_PAYOUTS : PAYOUTS, query);
    },
    refunds: (query) => readPage(database, REFUNDS, query),
    deposits: (query) => readPage(database, DEPOSITS, query),
    payments: (query) => readPage(database, PAYMENTS, query),
    transfers: (query) =>
      readPage(database, HELD_STATES.has(query.filters['state']) ? HELD_TRANSFERS : TRANSFERS, query),
    async ledger(query) {
      const { merchantId } = query;
      if (merchantId === null) return readPage(database, LEDGER, query);
      const isOwn = 'journal' in query.filters || (await hasFewTransfers(database, merchantId));
      const filters = { ...query.filters, merchantId };
      return readPage(database, isOwn ? OWN_LEDGER : LEDGER, { ...query, merchantId: null, filters });
    },
    requests: (query) => readPage(database, REQUESTS, query),
    callbacks(query) {
      return readPage(database, UNFINISHED.has(query.filters['state']) ? UNFINISHED_CALLBACKS : CALLBACKS, query);
    },
  };
}

/** Above this number the newest payouts are pending anyway. */
async function hasFewJobs(database: Database, { merchantId }: ListQuery): Promise<boolean> {
  const isNamed = merchantId !== null;
  const text = `select merchant_id from payout_jobs ${isNamed ? 'where merchant_id = $2' : ''} limit $1`;
  const jobs = await database.query(text, [MOST_CHECKED + 1, ...(isNamed ? [merchantId] : [])]);
  return jobs.length <= MOST_CHECKED;
}

async function hasFewTransfers(database: Database, merchantId: string): Promise<boolean> {
  const text = 'select line from ledger_transfers where merchant_id = $1 limit $2';
  return (await database.query(text, [merchantId, MOST_CHECKED + 1])).length <= MOST_CHECKED;
}
