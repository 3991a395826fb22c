/** DepositStore over PostgreSQL: opening, receiving and settling are collected into group commits, reading goes straight. */
import type { Deposit, DepositKey, RecordedTransfer } from '../domain/deposits/deposit.ts';
import type {
  DepositHistoryEntry,
  DepositListQuery,
  DepositRecord,
  DepositSearch,
  DepositSettlement,
  DepositSettlementOutcome,
  DepositStore,
  OpenOutcome,
  ReceiptOutcome,
  ReceiptRequest,
} from '../domain/deposits/deposit-store.ts';
import { type Clock, MINUTE_MS } from '../foundation/clock.ts';
import { createAddressPool } from './address-pool.ts';
import { type Database, timestamp } from './database.ts';
import {
  DEPOSIT_COLUMNS,
  type DepositRow,
  depositFromRow,
  type IncomingTransferRow,
  TRANSFER_IN_COLUMNS,
  transferFromRow,
} from './deposit-rows.ts';
import { createGroupCommit } from './group-commit.ts';
import { openDeposits } from './open-deposits.ts';
import { findTransfer, giveTransferBack, resolveTransfer } from './resolve-transfers.ts';
import { receiveTransfers, settleDeposits } from './settle-deposits.ts';

export interface DepositStoreOptions {
  readonly maxBatch: number;
  readonly maxQueued: number;
  /** Told of each committed batch. */
  readonly onCommitted?: (batch: 'open' | 'receive' | 'end', size: number, elapsedMs: number) => void;
}

export interface PostgresDepositStore extends DepositStore {
  /** Resolves when no batch is under way. */
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
  const opening = createGroupCommit<Deposit, OpenOutcome>({
    ...shared,
    flush: (deposits) => openDeposits(database, deposits),
    patienceMs: OPEN_PATIENCE_MS,
    onCommitted: (size, elapsedMs) => onCommitted('open', size, elapsedMs),
  });
  const receiving = createGroupCommit<ReceiptRequest, ReceiptOutcome>({
    ...shared,
    flush: (requests) => receiveTransfers(database, requests),
    patienceMs: MINUTE_MS,
    onCommitted: (size, elapsedMs) => onCommitted('receive', size, elapsedMs),
  });
  const ending = createGroupCommit<DepositSettlement, DepositSettlementOutcome>({
    ...shared,
    flush: (settlements) => settleDeposits(database, settlements),
    patienceMs: MINUTE_MS,
    onCommitted: (size, elapsedMs) => onCommitted('end', size, elapsedMs),
  });
  const addresses = createAddressPool(database);
  return {
    open: (deposit) => opening.submit(deposit),
    receive: (request) => receiving.submit(request),
    settle: (settlement) => ending.submit(settlement),
    resolve: (resolution) => resolveTransfer(database, resolution),
    giveBack: (transferReturn) => giveTransferBack(database, transferReturn),
    findByAddress: (payTo) => findByAddress(database, payTo),
    findOverdue: (now, limit) => findOverdue(database, now, limit),
    find: (key) => findDeposit(database, key),
    record: (key) => readRecord(database, key),
    search: (search) => searchDeposits(database, search),
    list: (query) => listDeposits(database, query),
    findByOrder: (merchantId, orderId) => findByOrder(database, merchantId, orderId),
    findTransfer: (id) => findTransfer(database, id),
    held: (limit) => heldTransfers(database, limit),
    takeAddress: addresses.take,
    giveBackAddress: addresses.giveBack,
    addressFill: addresses.fill,
    async drain() {
      await Promise.all([opening.drain(), receiving.drain(), ending.drain()]);
    },
  };
}

async function findByAddress(database: Database, payTo: string): Promise<DepositKey | undefined> {
  const [row] = await database.prepared<{ merchant_id: string; transaction_id: bigint }>(
    'find-by-address',
    'select merchant_id, transaction_id from clabes where clabe = $1',
    [payTo],
  );
  return row && { merchantId: row.merchant_id, transactionId: Number(row.transaction_id) };
}

async function findByOrder(database: Database, merchantId: string, orderId: string): Promise<DepositKey | undefined> {
  const [row] = await database.query<{ transaction_id: bigint }>(
    'select transaction_id from deposit_orders where merchant_id = $1 and order_id = $2',
    [merchantId, orderId],
  );
  return row && { merchantId, transactionId: Number(row.transaction_id) };
}

async function findOverdue(database: Database, now: number, limit: number): Promise<DepositKey[]> {
  const rows = await database.prepared<{ merchant_id: string; transaction_id: bigint }>(
    'find-overdue-deposits',
    `select merchant_id, transaction_id from deposits
     where finished_at is null and closes_at <= $1 order by closes_at limit $2`,
    [timestamp(now), limit],
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, transactionId: Number(row.transaction_id) }));
}

async function findDeposit(
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

async function readRecord(database: Database, key: DepositKey): Promise<DepositRecord | undefined> {
  const deposit = await findDeposit(database, key);
  if (!deposit) return undefined;
  const parameters = [key.merchantId, key.transactionId];
  const [transfers, history] = await Promise.all([
    database.query<IncomingTransferRow>(
      `select ${TRANSFER_IN_COLUMNS} from transfers_in as t
       where t.merchant_id = $1 and t.transaction_id = $2 order by t.recorded_at`,
      parameters,
    ),
    database.query<DepositHistoryEntry>(
      `select at, event, from_state as "fromState", to_state as "toState", actor, detail from deposit_history
       where merchant_id = $1 and transaction_id = $2 order by entry`,
      parameters,
    ),
  ]);
  return { deposit, transfers: transfers.map(transferFromRow), history };
}

async function searchDeposits(database: Database, search: DepositSearch): Promise<Deposit[]> {
  const rows = await database.query<DepositRow>(
    `select ${DEPOSIT_COLUMNS} from deposits as d
     where ($1::text is null or d.merchant_id = $1) and ($2::text is null or d.state = $2)
       and ($3::text is null or d.order_id = $3) and ($4::text is null or d.pay_to = $4)
     order by d.created_at desc, d.transaction_id desc limit $5`,
    [search.merchantId, search.state, search.orderId, search.payTo, search.limit],
  );
  return rows.map(depositFromRow);
}

/** To a merchant a deposit that is not open yet is pending too. */
async function listDeposits(database: Database, query: DepositListQuery): Promise<Deposit[]> {
  const rows = await database.prepared<DepositRow>(
    'list-deposits',
    `select ${DEPOSIT_COLUMNS} from deposits as d
     where d.merchant_id = $1 and d.currency = $2 and ($3::text is null or d.order_id = $3)
       and d.created_at >= $4 and d.created_at < $5
       and ($6 = 'all' or d.state = $6 or ($6 = 'pending' and d.state = 'created')) and d.transaction_id > $7
     order by d.transaction_id limit $8`,
    [
      query.merchantId,
      query.currency,
      query.orderId,
      timestamp(query.from),
      timestamp(query.to),
      query.state,
      query.after ?? 0,
      query.limit,
    ],
  );
  return rows.map(depositFromRow);
}

async function heldTransfers(database: Database, limit: number): Promise<RecordedTransfer[]> {
  const rows = await database.query<IncomingTransferRow>(
    `select ${TRANSFER_IN_COLUMNS} from transfers_in as t
     where t.state = 'held' and t.standing = 'held' order by t.recorded_at limit $1`,
    [limit],
  );
  return rows.map(transferFromRow);
}
