/** Implements DepositRecordStore over PostgreSQL, for operators rather than hot paths. */
import type { Deposit, DepositKey, RecordedTransfer } from '../../domain/deposits/deposit.ts';
import type { DepositAdjustment, DepositRefund } from '../../domain/deposits/deposit-adjustment.ts';
import { depositCallbackIds } from '../../domain/deposits/deposit-callbacks.ts';
import type { DepositHistoryEntry } from '../../domain/deposits/deposit-store.ts';
import { journalIdsOfAdjustment, journalIdsOfPayout, journalIdsOfReceipt } from '../../domain/ledger/journals.ts';
import type { DepositRecordStore, HeldTransfer } from '../../domain/payments/deposit-record-store.ts';
import { callbackIdsOf } from '../../domain/payouts/payout-callbacks.ts';
import { readCallbacksById } from '../callbacks/callback-store.ts';
import type { Database } from '../core/database.ts';
import { readRecordedAttempts } from '../deposits/attempt-rows.ts';
import { type IncomingTransferRow, TRANSFER_IN_COLUMNS, transferFromRow } from '../deposits/deposit-rows.ts';
import { findDeposit } from '../deposits/deposit-store.ts';
import { readLedgerLines } from '../ledger/ledger-lines.ts';
import {
  ADJUSTMENT_COLUMNS,
  type AdjustmentRow,
  adjustmentFromRow,
  REFUND_COLUMNS,
  type RefundRow,
  refundFromRow,
} from './adjustments/adjustment-rows.ts';

export function createDepositRecordStore(database: Database): DepositRecordStore {
  return {
    async record(key) {
      const deposit = await findDeposit(database, key);
      if (!deposit) return undefined;
      const [transfers, attempts, adjustments, refunds, history] = await Promise.all([
        readTransfers(database, key),
        readRecordedAttempts(database, key),
        readAdjustments(database, key),
        readRefunds(database, key),
        readHistory(database, key),
      ]);
      const ids = idsOfCallbacks(deposit, transfers, adjustments, refunds);
      const callbacks = await readCallbacksById(database, key.merchantId, ids);
      const money = await readLedgerLines(database, key.merchantId, [
        ...transfers.flatMap(journalIdsOfReceipt),
        ...adjustments.flatMap(journalIdsOfAdjustment),
        ...refunds.flatMap(({ payout }) => journalIdsOfPayout(payout.payoutId)),
      ]);
      return { deposit, transfers, attempts, adjustments, refunds, history, money, callbacks };
    },
    held: (limit) => heldTransfers(database, limit),
  };
}

/** Returns the ids of all callbacks that a deposit and its refunds can have. */
export async function readCallbackIdsOfDeposit(database: Database, deposit: Deposit): Promise<string[]> {
  const [transfers, adjustments, refunds] = await Promise.all([
    readTransfers(database, deposit),
    readAdjustments(database, deposit),
    readRefunds(database, deposit),
  ]);
  return idsOfCallbacks(deposit, transfers, adjustments, refunds);
}

function idsOfCallbacks(
  deposit: Deposit,
  transfers: readonly RecordedTransfer[],
  adjustments: readonly DepositAdjustment[],
  refunds: readonly DepositRefund[],
): string[] {
  return [
    ...depositCallbackIds(deposit, transfers, adjustments),
    ...refunds.flatMap(({ payout }) => callbackIdsOf(payout)),
  ];
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

/** Reads the adjustments of the deposit's own payments, and the takings from other payments' money credited to it. */
async function readAdjustments(
  database: Database,
  { merchantId, transactionId }: DepositKey,
): Promise<DepositAdjustment[]> {
  const rows = await database.query<AdjustmentRow>(
    `select * from (
       select ${ADJUSTMENT_COLUMNS} from deposit_adjustments as j where j.merchant_id = $1 and j.transaction_id = $2
       union all
       select g.transaction_id, g.attempt, g.kind, g.key, t.currency, sum(g.amount)::bigint, sum(g.amount)::bigint, null, min(g.at),
         'of the payment ' || t.rail || '/' || t.pay_to
       from incoming_transfers as t
       join receipt_takings as g on g.merchant_id = t.merchant_id and g.rail = t.rail and g.transfer_key = t.transfer_key
       where t.merchant_id = $1 and t.transaction_id = $2 and g.transaction_id <> $2
       group by g.transaction_id, g.attempt, g.kind, g.key, t.currency, t.rail, t.pay_to) as j
     order by j.at, j.attempt, j.kind, j.key`,
    [merchantId, transactionId],
  );
  return rows.map(adjustmentFromRow);
}

async function readRefunds(database: Database, { merchantId, transactionId }: DepositKey): Promise<DepositRefund[]> {
  const rows = await database.query<RefundRow>(
    `select ${REFUND_COLUMNS} from deposit_refunds as f join payouts as p using (merchant_id, payout_id)
     where f.merchant_id = $1 and f.transaction_id = $2 order by p.transaction_id`,
    [merchantId, transactionId],
  );
  return rows.map(refundFromRow);
}

function readHistory(database: Database, { merchantId, transactionId }: DepositKey): Promise<DepositHistoryEntry[]> {
  return database.query<DepositHistoryEntry>(
    `select at, event, from_state as "fromState", to_state as "toState", actor, detail from deposit_history
     where merchant_id = $1 and transaction_id = $2 order by entry`,
    [merchantId, transactionId],
  );
}

const HELD = `
select ${TRANSFER_IN_COLUMNS}, d.order_id from transfers_in as t
left join deposits as d on d.merchant_id = t.merchant_id and d.transaction_id = t.transaction_id
where t.state = 'held' and t.status = 'held' order by t.recorded_at limit $1`;

async function heldTransfers(database: Database, limit: number): Promise<HeldTransfer[]> {
  const rows = await database.query<IncomingTransferRow & { order_id: string | null }>(HELD, [limit]);
  return rows.map((row) => ({ ...transferFromRow(row), orderId: row.order_id }));
}
