/** PayoutRecordStore over PostgreSQL. For people, not for the hot paths. */
import type { PayoutKey, PayoutStage, PayoutState } from '../domain/payouts/payout.ts';
import type { PayoutJob } from '../domain/payouts/payout-job-store.ts';
import type { PayoutAttempt, PayoutRecordStore, PayoutSearch } from '../domain/payouts/payout-record.ts';
import type { AdjustmentKind, HistoryEntry, NewAdjustment } from '../domain/payouts/payout-store.ts';
import { callbackIdsOf } from '../domain/payouts/settle-payout.ts';
import { readPayouts } from './accept-payouts.ts';
import { readCallbacksById } from './callback-store.ts';
import type { Database } from './database.ts';
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
    due_at: number;
    attempts: number;
    asks: number;
    note: string;
  }>(`select stage, stage_since, due_at, attempts, asks, note from payout_jobs ${OF_PAYOUT}`, parameters(key));
  if (!row) return null;
  const { stage, attempts, asks, note } = row;
  return { stage, stageSince: row.stage_since, dueAt: row.due_at, attempts, asks, note };
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
  return database.query<{ kind: AdjustmentKind; at: number; detail: string }>(
    `select kind, at, detail from payout_adjustments ${OF_PAYOUT} order by at`,
    parameters(key),
  );
}

async function searchPayouts(database: Database, { merchantId, state, rail, limit }: PayoutSearch) {
  const rows = await database.query<PayoutRow>(
    `select ${PAYOUT_COLUMNS} from payouts as p
     where ($1::text is null or p.merchant_id = $1) and ($2::text is null or p.state = $2) and ($3::text is null or p.rail = $3)
     order by p.accepted_at desc, p.transaction_id desc limit $4`,
    [merchantId, state, rail, limit],
  );
  return rows.map(payoutFromRow);
}
