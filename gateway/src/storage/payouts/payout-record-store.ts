/** Implements PayoutRecordStore over PostgreSQL, for operators rather than hot paths. */

import type { Payout, PayoutStage, PayoutState } from '../../domain/payouts/payout.ts';
import { callbackIdsOf } from '../../domain/payouts/payout-callbacks.ts';
import type { PayoutJob } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutAttempt, PayoutRecordStore, PayoutSearch } from '../../domain/payouts/payout-record.ts';
import type { HistoryEntry, NewAdjustment } from '../../domain/payouts/payout-store.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { readCallbacksById } from '../callbacks/callback-store.ts';
import type { Database } from '../core/database.ts';
import { searchNewest } from '../core/search-newest.ts';
import { readPayouts } from './accept-payouts.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payoutFromRow } from './payout-rows.ts';

export function createPayoutRecordStore(database: Database): PayoutRecordStore {
  return {
    async record(key) {
      const [payout] = await readPayouts(database, [key]);
      if (!payout) return undefined;
      const [job, attempts, history, adjustments, callbacks] = await Promise.all([
        readJob(database, key),
        readAttempts(database, key),
        readHistory(database, key),
        readAdjustments(database, key),
        readCallbacksById(database, payout.merchantId, callbackIdsOf(payout)),
      ]);
      return { payout, job, attempts, history, adjustments, callbacks };
    },
    search: (search) => searchPayouts(database, search),
  };
}

const OF_PAYOUT = 'where merchant_id = $1 and payout_id = $2';
const parameters = ({ merchantId, payoutId }: PayoutKey) => [merchantId, payoutId];

async function readJob(database: Database, key: PayoutKey): Promise<PayoutJob | null> {
  const [row] = await database.query<{
    stage: PayoutStage;
    stage_since: number;
    asked_at: number | null;
    due_at: number;
    attempts: number;
    asks: number;
    note: string;
  }>(
    `select stage, stage_since, due_at, attempts, asks, note, asked_at from payout_jobs ${OF_PAYOUT}`,
    parameters(key),
  );
  if (!row) return null;
  const { stage, attempts, asks, note } = row;
  return { stage, stageSince: row.stage_since, dueAt: row.due_at, attempts, asks, note, askedAt: row.asked_at };
}

function readAttempts(database: Database, key: PayoutKey): Promise<PayoutAttempt[]> {
  return database.query<PayoutAttempt>(
    `select attempt, rail, reference, started_at as "startedAt", finished_at as "finishedAt", outcome, detail
     from payout_attempts ${OF_PAYOUT} order by attempt`,
    parameters(key),
  );
}

async function readHistory(database: Database, key: PayoutKey): Promise<HistoryEntry[]> {
  return database.query<{
    at: number;
    event: string;
    fromState: PayoutState | null;
    toState: PayoutState;
    actor: string;
    detail: string;
  }>(
    `select at, event, from_state as "fromState", to_state as "toState", actor, detail
     from payout_history ${OF_PAYOUT} order by entry`,
    parameters(key),
  );
}

function readAdjustments(database: Database, key: PayoutKey): Promise<NewAdjustment[]> {
  return database.query<NewAdjustment>(
    `select kind, at, detail, rail from payout_adjustments ${OF_PAYOUT} order by at`,
    parameters(key),
  );
}

const NEWEST = `
select ${PAYOUT_COLUMNS} from merchants as m
cross join lateral (
  select * from (
    select * from payouts as each where each.merchant_id = m.merchant_id and each.currency = $2
    order by each.accepted_at desc limit $3) as newest
  where ($5::text is null or newest.state = $5) and ($6::text is null or newest.rail = $6)
  order by newest.accepted_at desc limit $4) as p
where $1::text is null or m.merchant_id = $1
order by p.accepted_at desc, p.transaction_id desc limit $4`;

/** Each pending payout has a job, so this finds it however old it is. */
const NEWEST_PENDING = `
select ${PAYOUT_COLUMNS} from payout_jobs as j
cross join lateral (
  select * from payouts as each where each.merchant_id = j.merchant_id and each.payout_id = j.payout_id offset 0) as p
where ($1::text is null or j.merchant_id = $1) and ($2::text is null or j.rail = $2)
order by p.accepted_at desc, p.transaction_id desc limit $3`;

async function searchPayouts(database: Database, { merchantId, state, rail, limit }: PayoutSearch): Promise<Payout[]> {
  if (state === 'pending') {
    const rows = await database.query<PayoutRow>(NEWEST_PENDING, [merchantId, rail, limit]);
    return rows.map(payoutFromRow);
  }
  const search = { statement: NEWEST, merchantId, limit, filters: [state, rail] };
  const found = (await searchNewest<PayoutRow>(database, search)).map(payoutFromRow);
  return found.sort((a, b) => b.acceptedAt - a.acceptedAt || b.transactionId - a.transactionId).slice(0, limit);
}
