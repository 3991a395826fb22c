/** Implements PayoutRecordStore over PostgreSQL, for operators rather than hot paths. */

import { journalIdsOfPayout } from '../../domain/ledger/journals.ts';
import { EVENTS_WITH_REASONS, type HistoryReason } from '../../domain/payouts/history-reason.ts';
import type { HoldReason } from '../../domain/payouts/hold-reasons.ts';
import type { PayoutStage } from '../../domain/payouts/payout.ts';
import { callbackIdsOf } from '../../domain/payouts/payout-callbacks.ts';
import type { PayoutJob } from '../../domain/payouts/payout-job-store.ts';
import type { PayoutAttempt, PayoutRecordStore, RecordedEntry } from '../../domain/payouts/payout-record-store.ts';
import type { HistoryEntry, NewAdjustment } from '../../domain/payouts/payout-store.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { readCallbacksById } from '../callbacks/callback-store.ts';
import type { Database } from '../core/database.ts';
import { readLedgerLines } from '../ledger/ledger-lines.ts';
import { readPayouts } from './payout-rows.ts';

export function createPayoutRecordStore(database: Database): PayoutRecordStore {
  return {
    async record(key) {
      const [payout] = await readPayouts(database, [key]);
      if (!payout) return undefined;
      const [job, attempts, history, adjustments, money, callbacks] = await Promise.all([
        readJob(database, key),
        readAttempts(database, key),
        readHistory(database, key),
        readAdjustments(database, key),
        readLedgerLines(database, key.merchantId, journalIdsOfPayout(key.payoutId)),
        readCallbacksById(database, payout.merchantId, callbackIdsOf(payout)),
      ]);
      return { payout, job, attempts, history, adjustments, money, callbacks };
    },
    async seal(key) {
      const [row] = await database.query<{ seal: Buffer | null }>(
        `select seal from payouts ${OF_PAYOUT}`,
        parameters(key),
      );
      return row?.seal ?? null;
    },
  };
}

const OF_PAYOUT = 'where merchant_id = $1 and payout_id = $2';
const parameters = ({ merchantId, payoutId }: PayoutKey) => [merchantId, payoutId];

async function readJob(database: Database, key: PayoutKey): Promise<PayoutJob | null> {
  const [row] = await database.query<{
    stage: PayoutStage;
    stage_since: number;
    asked_at: number | null;
    approve_by: number | null;
    paid_by: string | null;
    due_at: number;
    attempts: number;
    asks: number;
    note: string;
    held_because: HoldReason | null;
  }>(
    `select stage, stage_since, due_at, attempts, asks, note, held_because, asked_at, approve_by, paid_by from payout_jobs ${OF_PAYOUT}`,
    parameters(key),
  );
  if (!row) return null;
  const { stage, attempts, asks, note } = row;
  const times = { stageSince: row.stage_since, dueAt: row.due_at, askedAt: row.asked_at, approveBy: row.approve_by };
  return { stage, attempts, asks, note, heldBecause: row.held_because, paidBy: row.paid_by, ...times };
}

function readAttempts(database: Database, key: PayoutKey): Promise<PayoutAttempt[]> {
  return database.query<PayoutAttempt>(
    `select attempt, rail, reference, started_at as "startedAt", finished_at as "finishedAt", outcome, detail
     from payout_attempts ${OF_PAYOUT} order by attempt`,
    parameters(key),
  );
}

async function readHistory(database: Database, key: PayoutKey): Promise<RecordedEntry[]> {
  const entries = await database.query<HistoryEntry>(
    `select at, event, from_state as "fromState", to_state as "toState", actor, detail
     from payout_entries ${OF_PAYOUT} order by entry`,
    parameters(key),
  );
  return entries.map((entry) =>
    EVENTS_WITH_REASONS.has(entry.event) && entry.detail.startsWith('[')
      ? { ...entry, detail: '', reasons: JSON.parse(entry.detail) as HistoryReason[] }
      : { ...entry, reasons: [] },
  );
}

function readAdjustments(database: Database, key: PayoutKey): Promise<NewAdjustment[]> {
  return database.query<NewAdjustment>(
    `select kind, at, detail, rail from payout_adjustments ${OF_PAYOUT} order by at`,
    parameters(key),
  );
}
