/** Reads every list with every filter, for one merchant and for all, so that the recorder sees each form of each statement. */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { EVENT_OBJECTS, type EventStore, FIRST_PLACE } from '../../src/domain/events/event-store.ts';
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import type { ListName, ListQuery, Place } from '../../src/domain/lists/list-store.ts';

const AT = Date.UTC(2026, 0, 2);
const EVENTS_PER_TRANSACTION = 500;
/** The number of transactions: enough to detect a scan of all of them in the large tables. */
const LEAST_HORIZON = 200;

interface Exercise {
  readonly place: Place['key'];
  readonly filters: ListQuery['filters'];
}

const UUID = '00000000-0000-4000-8000-000000000000';
const MONEY = { currency: 'EUR', minAmount: 1n, maxAmount: 2n };
const OF_PAYOUT = { state: 'success', method: 9, rail: 'a_rail', lastFour: '1111', blockedReason: 'unspecified' };
const PAYOUT_KEYS = { payoutId: 'P7', transactionId: 7, account: '411111******1111' };

const LISTS: Readonly<Record<ListName, Exercise>> = {
  payouts: { place: [7], filters: { ...MONEY, ...OF_PAYOUT, ...PAYOUT_KEYS, purpose: 'refund', batchId: 'B1' } },
  refunds: { place: [7], filters: { ...MONEY, ...OF_PAYOUT } },
  deposits: {
    place: [7],
    filters: {
      ...MONEY,
      state: 'fail',
      failReason: 'expired',
      paymentType: 'spei',
      rail: 'stp',
      payerId: 'x',
      orderId: 'N7',
      transactionId: 7,
      uuid: UUID,
      payTo: '000000000000000007',
      lastFour: '1111',
    },
  },
  payments: {
    place: [7, 1],
    filters: {
      state: 'paid',
      refusal: 'x',
      paymentType: 'card',
      rail: 'adyen',
      transactionId: 7,
      reference: 'A7',
      providerReference: 'X7',
      lastFour: '1111',
    },
  },
  transfers: {
    place: ['stp', 'K7', 'many-7'],
    filters: {
      ...MONEY,
      state: 'held',
      mismatch: 'short',
      rail: 'stp',
      transferKey: 'K7',
      transactionId: 7,
      payTo: '000000000000000007',
      account: 'x',
    },
  },
  callbacks: {
    place: ['payout_7', 'many-7'],
    filters: { state: 'delivered', subject: 'payout', subjectId: 'P7', callbackId: 'payout_7' },
  },
  ledger: {
    place: ['payout/P7/reserve', 1, 'many-7'],
    filters: { ...MONEY, kind: 'payout', account: 'available', journal: 'payout/P7/reserve' },
  },
  requests: {
    place: ['R7', 'many-7'],
    filters: { endpoint: 'form', outcome: 'rejected', reason: 'sign_error', subjectId: 'P7', requestId: 'R7' },
  },
};

export async function exerciseLists({ lists, events }: GatewayOperations, pool: pg.Pool): Promise<void> {
  for (const [name, { place, filters }] of Object.entries(LISTS) as [ListName, Exercise][])
    for (const merchantId of ['M1', null]) {
      const all = { merchantId, from: null, to: null, after: null, limit: 100, filters: {} };
      const read = (change: Partial<ListQuery>) => lists[name]({ ...all, ...change });
      await read({});
      await read({ from: AT, to: AT + 1, after: { at: AT, key: place } });
      for (const [filter, value] of Object.entries(filters)) await read({ filters: { [filter]: value } });
    }
  for (const merchantId of ['M1', null]) {
    const all = { merchantId, from: null, to: null, after: null, limit: 100 };
    for (const state of ['pending', 'success', 'blocked']) await lists.payouts({ ...all, filters: { state } });
    for (const state of ['due', 'undelivered']) await lists.callbacks({ ...all, filters: { state } });
  }
  await lists.find({ text: '000000000000000007', merchantId: null, lists: [] });
  await lists.find({ text: '340.00 2026-01-02', merchantId: null, lists: ['payouts', 'deposits', 'transfers'] });
  await exerciseEvents(events, pool);
}

/**
 * Reads pages of events far behind the horizon, with more events in between than a page checks. Each transaction writes as
 * many rows as in the large tables of ten million, so that the recorded page limit is realistic.
 */
async function exerciseEvents(events: EventStore, pool: pg.Pool): Promise<void> {
  await pool.query(`insert into payout_history select 'crowd', 'P' || n, 2, now(), 'executed', 'pending', 'success', 'x', '',
    (1 + n / ${EVENTS_PER_TRANSACTION})::text::xid8 from generate_series(1, 6000) as n`);
  for (const merchantId of ['M1', null]) {
    const query = { merchantId, objects: EVENT_OBJECTS, limit: 100 };
    await events.read({ ...query, after: FIRST_PLACE });
    for (const [index, key] of [
      ['M1', 'P7', 1],
      ['M1', 7, 1],
      ['M1', 'payout_7', 1],
      ['M1', 7],
    ].entries())
      await events.read({ ...query, after: { transaction: '1', kind: index + 1, key } });
  }
  const { transaction } = await events.end();
  assert(Number(transaction) > LEAST_HORIZON, `the horizon ${transaction} lies before the rows of the large tables`);
  await pool.query(`delete from payout_history where merchant_id = 'crowd'`);
}
