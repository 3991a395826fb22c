/** Implements DepositStore over PostgreSQL. Opening, receiving and settling use group commits. Reads use the pool directly. */
import type { Deposit, DepositKey } from '../../domain/deposits/deposit.ts';
import type {
  DepositSettlement,
  DepositSettlementOutcome,
  DepositStore,
  OpenOutcome,
  OpenRequest,
  ReceiptOutcome,
  ReceiptRequest,
} from '../../domain/deposits/deposit-store.ts';
import { type Clock, MINUTE_MS } from '../../foundation/clock.ts';
import { ofReachable, sweep, textsOf } from '../cluster/across-servers.ts';
import { createCommitPerServer } from '../cluster/commit-per-server.ts';
import { createGroupCommit } from '../core/commits/group-commit.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { createAddressPool } from './address-pool.ts';
import { receiveTransfers } from './deposit-batch.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow } from './deposit-rows.ts';
import { listDeposits } from './list-deposits.ts';
import { openDeposits } from './open-deposits.ts';
import { commitResolution, commitReturn, findTransfer } from './resolve-transfers.ts';
import { settleDeposits } from './settle-deposits.ts';

interface DepositStoreOptions {
  readonly maxBatch: number;
  readonly maxQueued: number;
  /** Receives the size and duration of each committed batch, and a function that lists its deposits. */
  readonly onCommitted?: (
    batch: 'open' | 'receive' | 'end',
    size: number,
    elapsedMs: number,
    deposits: () => readonly Pick<DepositKey, 'transactionId'>[],
  ) => void;
}

export interface PostgresDepositStore extends DepositStore {
  /** Resolves when no batch is in flight. */
  drain(): Promise<void>;
}

const OPEN_PATIENCE_MS = 15_000;

export function createDepositStore(
  database: Database,
  clock: Clock,
  options: DepositStoreOptions,
): PostgresDepositStore {
  const { maxBatch, maxQueued, onCommitted = () => {} } = options;
  const shared = { clock, maxBatch, maxQueued };
  const opening = createCommitPerServer<OpenRequest, OpenOutcome>(database, {
    ...shared,
    flush: (requests) => openDeposits(database, requests),
    merchantOf: ({ deposit }) => deposit.merchantId,
    patienceMs: OPEN_PATIENCE_MS,
    onCommitted: (items, elapsedMs) =>
      onCommitted('open', items.length, elapsedMs, () => items.map(({ deposit }) => deposit)),
  });
  const receiving = createCommitPerServer<ReceiptRequest, ReceiptOutcome>(database, {
    ...shared,
    flush: (requests) => receiveTransfers(database, requests),
    merchantOf: ({ merchantId }) => merchantId,
    patienceMs: MINUTE_MS,
    onCommitted: (items, elapsedMs) =>
      onCommitted('receive', items.length, elapsedMs, () =>
        items.flatMap(({ transactionId }) => (transactionId === null ? [] : { transactionId })),
      ),
  });
  const ending = createCommitPerServer<DepositSettlement, DepositSettlementOutcome>(database, {
    ...shared,
    flush: (settlements) => settleDeposits(database, settlements),
    merchantOf: ({ merchantId }) => merchantId,
    patienceMs: MINUTE_MS,
    onCommitted: (items, elapsedMs) => onCommitted('end', items.length, elapsedMs, () => items),
  });
  const locating = createGroupCommit<string, DepositKey | undefined>({
    ...shared,
    flush: (addresses) => findByAddresses(database, addresses),
    patienceMs: OPEN_PATIENCE_MS,
  });
  const addresses = createAddressPool(database);
  return {
    open: (request) => opening.submit(request),
    receive: (request) => receiving.submit(request),
    settle: (settlement) => ending.submit(settlement),
    resolve: (resolution) => commitResolution(database, resolution),
    returnTransfer: (transferReturn) => commitReturn(database, transferReturn),
    findByAddress: (payTo) => locating.submit(payTo),
    findOverdue: (now, createdSince, limit) => findOverdue(database, now, createdSince, limit),
    find: (key) => findDeposit(database, key),
    list: (query) => listDeposits(database, query),
    findByOrder: (merchantId, orderId) => findByOrder(database, merchantId, orderId),
    findTransfer: (id) => findTransfer(database, id),
    allocateAddress: addresses.allocate,
    releaseAddress: addresses.release,
    addressesUsed: addresses.used,
    async drain() {
      await Promise.all([opening.drain(), receiving.drain(), ending.drain(), locating.drain()]);
    },
  };
}

/** Returns the deposit of each address, in the same order. */
async function findByAddresses(database: Database, payTo: readonly string[]): Promise<(DepositKey | undefined)[]> {
  const rows = await database.prepared<{ clabe: string; merchant_id: string; transaction_id: bigint }>(
    'find-by-addresses',
    'select clabe, merchant_id, transaction_id from clabes where clabe = any($1::text[])',
    [payTo],
  );
  const keys = new Map(
    rows.map((row) => [row.clabe, { merchantId: row.merchant_id, transactionId: Number(row.transaction_id) }]),
  );
  return payTo.map((address) => keys.get(address));
}

async function findByOrder(database: Database, merchantId: string, orderId: string): Promise<DepositKey | undefined> {
  const [row] = await database.query<{ transaction_id: bigint }>(
    'select transaction_id from deposit_orders where merchant_id = $1 and order_id = $2',
    [merchantId, orderId],
  );
  return row && { merchantId, transactionId: Number(row.transaction_id) };
}

const OVERDUE = textsOf(
  (servers) => `select d.merchant_id, d.transaction_id from deposits as d
     where finished_at is null and closes_at <= $1 and d.created_at >= $3${ofReachable(servers, 'd', '$4')} and not exists (
       select from payment_attempts as a
       where a.merchant_id = d.merchant_id and a.transaction_id = d.transaction_id and a.finished_at is null${ofReachable(servers, 'a', '$4')})
     order by closes_at limit $2`,
);

async function findOverdue(
  database: Database,
  now: number,
  createdSince: number,
  limit: number,
): Promise<DepositKey[]> {
  const rows = await sweep<{ merchant_id: string; transaction_id: bigint }>(
    database,
    OVERDUE,
    [timestamp(now), limit, timestamp(createdSince)],
    'find-overdue-deposits',
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, transactionId: Number(row.transaction_id) }));
}

export async function findDeposit(
  database: Database,
  { merchantId, transactionId }: DepositKey,
): Promise<Deposit | undefined> {
  const [row] = await database.prepared<DepositRow>(
    'find-deposit',
    `select ${DEPOSIT_COLUMNS} from deposits as d where d.merchant_id = $1 and d.transaction_id = $2`,
    [merchantId, transactionId],
  );
  return row && depositFromRow(row);
}
