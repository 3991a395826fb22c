/** Implements ListStore over PostgreSQL: chooses the shape whose index serves a query best. */
import { TRANSFER_STATES } from '../../domain/deposits/deposit.ts';
import { rowStateOf } from '../../domain/deposits/transfer-transitions.ts';
import type { ListQuery, ListStore } from '../../domain/lists/list-store.ts';
import { callbackIdsOf } from '../../domain/payouts/payout-callbacks.ts';
import type { Database } from '../core/database.ts';
import { readCallbackIdsOfDeposit } from '../payments/deposit-record-store.ts';
import { readPage } from './keyset-list.ts';
import {
  BATCH_PAYOUTS,
  CALLBACKS,
  CALLBACKS_OF_SUBJECT,
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

/** The states of callbacks that a separate index contains. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['due', 'undelivered']);
/** The states of incoming money that is or was held. The database has one state for them. */
const HELD_STATES: ReadonlySet<unknown> = new Set(TRANSFER_STATES.filter((state) => rowStateOf(state) === 'held'));

export function createListStore(database: Database): ListStore {
  return {
    async payouts(query) {
      const { state, purpose, batchId } = query.filters;
      if (batchId !== undefined) return readPage(database, BATCH_PAYOUTS, query);
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
    async callbacks(query) {
      const keys = await keysOfSubject(database, query);
      if (keys)
        return readPage(database, CALLBACKS_OF_SUBJECT, {
          ...query,
          filters: { ...query.filters, keys: JSON.stringify(keys) },
        });
      return readPage(database, UNFINISHED.has(query.filters['state']) ? UNFINISHED_CALLBACKS : CALLBACKS, query);
    },
  };
}

/** The maximum number of subjects whose callbacks are found by id among all merchants. */
const MOST_SUBJECTS = 50;

/** No index has a callback's subject, but payouts and deposits know their callbacks' ids. Undefined if there are too many. */
async function keysOfSubject(database: Database, { merchantId, filters: { subjectId } }: ListQuery) {
  if (subjectId === undefined) return undefined;
  const whole = { merchantId, from: null, to: null, after: null, limit: MOST_SUBJECTS };
  const payouts = await readPage(database, PAYOUTS, { ...whole, filters: { payoutId: subjectId } });
  const deposits = await readPage(database, DEPOSITS, { ...whole, filters: { orderId: subjectId } });
  if (payouts.next !== null || deposits.next !== null) return undefined;
  const keyOf = (merchant: string) => (id: string) => ({ merchant_id: merchant, callback_id: id });
  const keys = payouts.items.flatMap((payout) => callbackIdsOf(payout).map(keyOf(payout.merchantId)));
  for (const deposit of deposits.items)
    keys.push(...(await readCallbackIdsOfDeposit(database, deposit)).map(keyOf(deposit.merchantId)));
  return keys;
}

/** The maximum number of rows that a list reads completely and sorts. Beyond it, the newest payouts are pending anyway. */
const FEW_ROWS = 5_000;

async function hasFewJobs(database: Database, { merchantId }: ListQuery): Promise<boolean> {
  const isNamed = merchantId !== null;
  const text = `select merchant_id from payout_jobs ${isNamed ? 'where merchant_id = $2' : ''} limit $1`;
  const jobs = await database.query(text, [FEW_ROWS + 1, ...(isNamed ? [merchantId] : [])]);
  return jobs.length <= FEW_ROWS;
}

async function hasFewTransfers(database: Database, merchantId: string): Promise<boolean> {
  const text = 'select line from ledger_transfers where merchant_id = $1 limit $2';
  return (await database.query(text, [merchantId, FEW_ROWS + 1])).length <= FEW_ROWS;
}
