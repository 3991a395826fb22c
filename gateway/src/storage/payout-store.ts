/** PayoutStore over PostgreSQL: accepting and settling are collected into group commits, reading goes straight. */
import type { PayoutKey } from '../domain/payouts/payout.ts';
import type {
  AcceptOutcome,
  PayoutStore,
  SettlementOutcome,
  SettlementRequest,
} from '../domain/payouts/payout-store.ts';
import { type Clock, MINUTE_MS } from '../foundation/clock.ts';
import { acceptPayouts, readPayouts, type SerializedPayout, serializePayout } from './accept-payouts.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { listPayouts } from './list-payouts.ts';
import { keyFromRow, type PayoutKeyRow } from './payout-rows.ts';
import { createPayoutWaiting } from './payout-waiting.ts';
import { createBlocks } from './sequence-blocks.ts';
import { type SettlingOptions, settlePayouts } from './settle-payouts.ts';

export interface PayoutStoreOptions extends SettlingOptions {
  readonly maxBatch: number;
  readonly maxQueued: number;
  /** Told of each committed batch. */
  readonly onCommitted?: (batch: 'accept' | 'settle', size: number, elapsedMs: number) => void;
}

/** Shorter than the 30 s after which a merchant may believe "Payout not found" (decisions, Answers: payout status). */
const ACCEPT_PATIENCE_MS = 15_000;
const TRANSACTION_IDS_PER_BLOCK = 1_024;

export interface PostgresPayoutStore extends PayoutStore {
  /** Resolves when no accepted or settling batch is under way. */
  drain(): Promise<void>;
}

export function createPayoutStore(database: Database, clock: Clock, options: PayoutStoreOptions): PostgresPayoutStore {
  const { maxBatch, maxQueued, onCommitted = () => {} } = options;
  const waiting = createPayoutWaiting(database, clock);
  const accepting = createGroupCommit<SerializedPayout, AcceptOutcome>({
    flush: (items) => acceptPayouts(database, items),
    clock,
    maxBatch,
    maxQueued,
    patienceMs: ACCEPT_PATIENCE_MS,
    onCommitted: (size, elapsedMs) => onCommitted('accept', size, elapsedMs),
  });
  const settling = createGroupCommit<SettlementRequest, SettlementOutcome>({
    flush: async (items) => {
      const outcomes = await settlePayouts(database, options, items);
      waiting.changed(items);
      return outcomes;
    },
    clock,
    maxBatch,
    maxQueued: Number.POSITIVE_INFINITY, // bounded by the workers' own concurrency and the notifications' body queue
    patienceMs: MINUTE_MS,
    onCommitted: (size, elapsedMs) => onCommitted('settle', size, elapsedMs),
  });
  return {
    accept: (payout) => accepting.submit(serializePayout(payout)),
    settle: (request) => settling.submit(request),
    find: async (key) => (await readPayouts(database, [key]))[0],
    waitUntilFinal: waiting.waitUntilFinal,
    list: (query) => listPayouts(database, query),
    findByReference: (rail, reference) => findByReference(database, rail, reference),
    nextTransactionId: createBlocks(database, 'transaction_ids', TRANSACTION_IDS_PER_BLOCK),
    async drain() {
      await Promise.all([accepting.drain(), settling.drain()]);
    },
  };
}

async function findByReference(database: Database, rail: string, reference: string): Promise<PayoutKey | undefined> {
  const [row] = await database.prepared<PayoutKeyRow>(
    'find-by-reference',
    'select merchant_id, payout_id from rail_references where rail = $1 and reference = $2',
    [rail, reference],
  );
  return row && keyFromRow(row);
}
