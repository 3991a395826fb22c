/** Implements PayoutStore over PostgreSQL. Accepting and settling use group commits. Reads use the pool directly. */
import type { Payout } from '../../domain/payouts/payout.ts';
import type {
  AcceptOutcome,
  EarlierPayouts,
  PayoutStore,
  SettlementOutcome,
  SettlementRequest,
} from '../../domain/payouts/payout-store.ts';
import type { RailReference } from '../../domain/recovery/recovery-store.ts';
import { type Clock, MINUTE_MS } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { createCommitPerServer } from '../cluster/commit-per-server.ts';
import { clusterQuestionOf } from '../core/cluster-text.ts';
import { createGroupCommit } from '../core/commits/group-commit.ts';
import type { Database } from '../core/database.ts';
import { createBlocks, SEQUENCES } from '../core/sequences.ts';
import { acceptOnOneServer, createAcceptAtOnce } from './accept/accept-at-once.ts';
import { acceptOnCluster } from './accept/accept-on-cluster.ts';
import { acceptPayouts, type SerializedPayout, serializePayout } from './accept/accept-payouts.ts';
import { findIds, findMaker, findSameContent } from './earlier-payouts.ts';
import { listPayouts } from './list-payouts.ts';
import {
  keyFromRow,
  keyText,
  PAYOUT_COLUMNS,
  type PayoutKeyRow,
  type PayoutRow,
  payoutFromRow,
  readPayouts,
} from './payout-rows.ts';
import { createPayoutWaiting } from './payout-waiting.ts';
import { settlePayouts } from './settle/settle-payouts.ts';
import type { SettlingOptions } from './settle/write-settled.ts';

interface PayoutStoreOptions extends SettlingOptions {
  readonly maxBatch: number;
  readonly maxQueued: number;
  /** Receives the size and duration of each committed batch, and a function that lists its payouts. */
  readonly onCommitted?: (
    batch: 'accept' | 'settle',
    size: number,
    elapsedMs: number,
    payouts: () => readonly PayoutKey[],
  ) => void;
}

/** Shorter than the 30 s after which a merchant may trust "Payout not found" (decision 25). */
const ACCEPT_PATIENCE_MS = 15_000;

export interface PostgresPayoutStore extends PayoutStore, EarlierPayouts {
  /** Resolves when no accepting or settling batch is in flight. */
  drain(): Promise<void>;
}

export function createPayoutStore(database: Database, clock: Clock, options: PayoutStoreOptions): PostgresPayoutStore {
  const { maxBatch, maxQueued, onCommitted = () => {} } = options;
  const waiting = createPayoutWaiting(database, clock);
  const isCluster = clusterQuestionOf(database);
  const acceptAtOnce = createAcceptAtOnce(async (rows) =>
    (await isCluster(database)) ? acceptOnCluster(database, rows) : acceptOnOneServer(database, rows),
  );
  const accepting = createCommitPerServer<SerializedPayout, AcceptOutcome>(database, {
    flush: (items) => acceptPayouts(database, items, acceptAtOnce),
    merchantOf: ({ payout }) => payout.merchantId,
    clock,
    maxBatch,
    maxQueued,
    patienceMs: ACCEPT_PATIENCE_MS,
    onCommitted: (items, elapsedMs) =>
      onCommitted('accept', items.length, elapsedMs, () => items.map(({ payout }) => payout)),
  });
  const settling = createCommitPerServer<SettlementRequest, SettlementOutcome>(database, {
    flush: async (items) => {
      const outcomes = await settlePayouts(database, options, items);
      waiting.changed(items);
      return outcomes;
    },
    merchantOf: ({ merchantId }) => merchantId,
    clock,
    maxBatch,
    maxQueued: Number.POSITIVE_INFINITY, // limited by the payouts that workers hold and by concurrent notifications
    patienceMs: MINUTE_MS,
    onCommitted: (items, elapsedMs) => onCommitted('settle', items.length, elapsedMs, () => items),
  });
  const finding = createGroupCommit<RailReference, Payout | undefined>({
    flush: async (wanted) =>
      (await isCluster(database)) ? findOnCluster(database, wanted) : findOnOneServer(database, wanted),
    clock,
    maxBatch,
    maxQueued: Number.POSITIVE_INFINITY, // limited by the number of concurrent notifications
    patienceMs: MINUTE_MS,
  });
  return {
    accept: (payout) => accepting.submit(serializePayout(payout)),
    settle: (request) => settling.submit(request),
    find: async (key) => (await readPayouts(database, [key]))[0],
    findMaker: (key) => findMaker(database, key),
    findIds: (merchantId, payoutIds) => findIds(database, merchantId, payoutIds),
    findSameContent: (query) => findSameContent(database, query),
    waitUntilFinal: waiting.waitUntilFinal,
    list: (query) => listPayouts(database, query),
    findByReference: (rail, reference) => finding.submit({ rail, reference }),
    nextTransactionId: createBlocks(database, SEQUENCES.transactionIds),
    async drain() {
      await Promise.all([accepting.drain(), settling.drain(), finding.drain()]);
    },
  };
}

const arraysOf = (wanted: readonly RailReference[]) => [
  wanted.map(({ rail }) => rail),
  wanted.map(({ reference }) => reference),
];

const FIND_BY_REFERENCES = `
with found as materialized (
  select place, merchant_id, payout_id from unnest($1::text[], $2::text[]) with ordinality as wanted(rail, reference, place)
  join rail_references using (rail, reference))
select place::int, ${PAYOUT_COLUMNS} from found join payouts as p using (merchant_id, payout_id)`;

/** Returns the payouts in the order of the references. */
async function findOnOneServer(database: Database, wanted: readonly RailReference[]): Promise<(Payout | undefined)[]> {
  const rows = await database.prepared<PayoutRow & { place: number }>(
    'find-by-references',
    FIND_BY_REFERENCES,
    arraysOf(wanted),
  );
  const byPlace = new Map(rows.map((row) => [row.place, payoutFromRow(row)]));
  return wanted.map((_, index) => byPlace.get(index + 1));
}

const FIND_REFERENCES = `
select place::int, rail_references.merchant_id, rail_references.payout_id
from unnest($1::text[], $2::text[]) with ordinality as wanted(rail, reference, place)
join rail_references using (rail, reference)`;

/** The same by two statements, because the directory is distributed by reference, and payouts by merchant. */
async function findOnCluster(database: Database, wanted: readonly RailReference[]): Promise<(Payout | undefined)[]> {
  const found = await database.prepared<PayoutKeyRow & { place: number }>(
    'find-references',
    FIND_REFERENCES,
    arraysOf(wanted),
  );
  if (found.length === 0) return wanted.map(() => undefined);
  const payouts = await readPayouts(database, found.map(keyFromRow));
  const byKey = new Map(payouts.map((payout) => [keyText(payout), payout]));
  const byPlace = new Map(found.map((row) => [row.place, byKey.get(keyText(keyFromRow(row)))]));
  return wanted.map((_, index) => byPlace.get(index + 1));
}
