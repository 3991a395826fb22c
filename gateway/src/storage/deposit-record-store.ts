/** DepositRecordStore over PostgreSQL. For people, not for the hot paths. */
import type { Deposit, DepositKey, RecordedTransfer } from '../domain/deposits/deposit.ts';
import { depositCallbackIds } from '../domain/deposits/deposit-callbacks.ts';
import type { DepositRecordStore, DepositSearch } from '../domain/deposits/deposit-record.ts';
import type { DepositHistoryEntry } from '../domain/deposits/deposit-store.ts';
import { readCallbacksById } from './callback-store.ts';
import type { Database } from './database.ts';
import {
  DEPOSIT_COLUMNS,
  type DepositRow,
  depositFromRow,
  type IncomingTransferRow,
  TRANSFER_IN_COLUMNS,
  transferFromRow,
} from './deposit-rows.ts';
import { findDeposit } from './deposit-store.ts';

export function createDepositRecordStore(database: Database): DepositRecordStore {
  return {
    async record(key) {
      const deposit = await findDeposit(database, key);
      if (!deposit) return undefined;
      const [transfers, history] = await Promise.all([readTransfers(database, key), readHistory(database, key)]);
      const callbacks = await readCallbacksById(database, key.merchantId, depositCallbackIds(deposit, transfers));
      return { deposit, transfers, history, callbacks };
    },
    search: (search) => searchDeposits(database, search),
    held: (limit) => heldTransfers(database, limit),
  };
}

async function readTransfers(
  database: Database,
  { merchantId, transactionId }: DepositKey,
): Promise<RecordedTransfer[]> {
  const rows = await database.query<IncomingTransferRow>(
    `select ${TRANSFER_IN_COLUMNS} from transfers_in as t
     where t.merchant_id = $1 and t.transaction_id = $2 order by t.recorded_at`,
    [merchantId, transactionId],
  );
  return rows.map(transferFromRow);
}

function readHistory(database: Database, { merchantId, transactionId }: DepositKey): Promise<DepositHistoryEntry[]> {
  return database.query<DepositHistoryEntry>(
    `select at, event, from_state as "fromState", to_state as "toState", actor, detail from deposit_history
     where merchant_id = $1 and transaction_id = $2 order by entry`,
    [merchantId, transactionId],
  );
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

async function heldTransfers(database: Database, limit: number): Promise<RecordedTransfer[]> {
  const rows = await database.query<IncomingTransferRow>(
    `select ${TRANSFER_IN_COLUMNS} from transfers_in as t
     where t.state = 'held' and t.standing = 'held' order by t.recorded_at limit $1`,
    [limit],
  );
  return rows.map(transferFromRow);
}
