/**
 * Commits the operator's decisions about held money, each in its own transaction. It reads the transfer again under the
 * merchants' locks, so that the money is either credited or returned.
 */
import type { RecordedTransfer, TransferId, TransferState } from '../../domain/deposits/deposit.ts';
import type {
  ReceiptPlan,
  ReturnOutcome,
  TransferResolution,
  TransferResolutionOutcome,
  TransferReturn,
} from '../../domain/deposits/deposit-store.ts';
import { TRANSFER_TRANSITIONS } from '../../domain/deposits/transfer-transitions.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import { FOR_CLUSTER, merchantOf, STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { acceptWithin } from '../payouts/accept/accept-carefully.ts';
import { destroyRecord, expireRecord } from '../vault/destroy-records.ts';
import { openDepositBatch } from './deposit-batch.ts';
import { type IncomingTransferRow, TRANSFER_IN_COLUMNS, transferFromRow } from './deposit-rows.ts';

export function commitResolution(
  database: Database,
  resolution: TransferResolution,
): Promise<TransferResolutionOutcome> {
  const { transfer, to, at } = resolution;
  return database.transaction(async (transaction) => {
    const { currency } = transfer.money;
    const source = { merchantId: transfer.merchantId, transactionId: null, currency };
    const batch = await openDepositBatch(transaction, [source, { ...to, currency }]);
    const held = await readLeft(transaction, transfer);
    const next = TRANSFER_TRANSITIONS[held.state][transfer.merchantId === to.merchantId ? 'credited' : 'moved'];
    if (next === undefined) return { kind: 'not_held', state: held.state };
    const locked = batch.locked(to);
    if (!locked) return { kind: 'deposit_not_found' };
    const { deposit } = locked;
    const plan = resolution.plan({ deposit, balances: batch.book.balances(to.merchantId, currency), held });
    batch.add(locked, plan, at);
    if (next === 'credited') await creditRow(transaction, resolution, plan.transfer);
    else await moveRow(transaction, resolution, plan.transfer, next, held.money);
    // Credited money cannot be returned to its card.
    if (transfer.originator.cardToken !== undefined)
      await destroyRecord(transaction, transfer.merchantId, transfer.originator.cardToken);
    await batch.write();
    return { kind: 'resolved', plan };
  });
}

export function commitReturn(
  database: Database,
  { transfer, plan, destroyCardAt, resolution, note }: TransferReturn,
): Promise<ReturnOutcome> {
  return database.transaction(async (transaction) => {
    const { merchantId, transactionId, money } = transfer;
    const batch = await openDepositBatch(transaction, [{ merchantId, transactionId, currency: money.currency }]);
    const held = await readLeft(transaction, transfer);
    if (!('return_ordered' in TRANSFER_TRANSITIONS[held.state])) return { kind: 'not_held', state: held.state };
    const returning = plan(held);
    await acceptWithin(transaction, returning, batch.book);
    await transaction.query(
      `update incoming_transfers set return_id = $4, is_return_overtaken = false, resolution = $5, resolved_at = $6
       where merchant_id = $1 and rail = $2 and transfer_key = $3`,
      [...keyOf(transfer), returning.payout.payoutId, resolution, timestamp(note.at)],
    );
    // A return that failed may be repeated.
    if (transfer.originator.cardToken !== undefined)
      await expireRecord(transaction, transfer.merchantId, transfer.originator.cardToken, destroyCardAt);
    const deposit = transactionId === null ? undefined : batch.locked({ merchantId, transactionId });
    if (deposit) {
      const { state: unchanged } = deposit.deposit;
      const history = { ...note, fromState: unchanged, toState: unchanged };
      batch.add(deposit, { change: null, journals: [], history, callbacks: [] }, note.at);
    }
    await batch.write();
    return { kind: 'accepted', payout: returning.payout };
  });
}

export async function findTransfer(
  queryable: Queryable,
  { rail, transferKey }: TransferId,
): Promise<RecordedTransfer | undefined> {
  const [row] = await queryable.query<IncomingTransferRow>(
    `${STEP_BY_STEP} with listed as materialized (
       select merchant_id, rail, transfer_key from incoming_transfer_keys where rail = $1 and transfer_key = $2)
     select ${TRANSFER_IN_COLUMNS} from listed join transfers_in as t using (merchant_id, rail, transfer_key)
     where t.merchant_id = ${merchantOf('listed')} ${FOR_CLUSTER}`,
    [rail, transferKey],
  );
  return row && transferFromRow(row);
}

/** Reads a held transfer and its remaining money. The caller holds the merchants' locks until the commit. */
async function readLeft(transaction: Queryable, transfer: RecordedTransfer): Promise<RecordedTransfer> {
  const now = await findTransfer(transaction, transfer);
  invariant(now, 'transfer not found under its lock');
  if (now.merchantId !== transfer.merchantId) return { ...now, state: 'given_up' };
  return { ...now, money: { ...now.money, minor: now.kept } };
}

function keyOf({ merchantId, rail, transferKey }: RecordedTransfer): string[] {
  return [merchantId, rail, transferKey];
}

async function creditRow(
  transaction: Queryable,
  { transfer, to, resolution, at }: TransferResolution,
  { state, mismatch }: ReceiptPlan['transfer'],
) {
  await transaction.query(
    `update incoming_transfers set state = $8, transaction_id = $4, mismatch = $5, resolution = $6, resolved_at = $7,
       originator = originator - 'cardToken'
     where merchant_id = $1 and rail = $2 and transfer_key = $3`,
    [...keyOf(transfer), to.transactionId, mismatch, resolution, timestamp(at), state],
  );
}

/** The old row records where the money went. The new row is the merchant's transfer with the amount that was left. */
async function moveRow(
  transaction: Queryable,
  { transfer, to, resolution, at }: TransferResolution,
  { state, mismatch }: ReceiptPlan['transfer'],
  former: TransferState,
  left: Money,
) {
  await transaction.query(
    `insert into incoming_transfers (merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
       mismatch, state, found_by, booked_at, recorded_at, resolved_at, resolution, former_merchants)
     select $4, rail, transfer_key, $5, pay_to, currency, $9, originator - 'cardToken', $6, $10, found_by, booked_at, recorded_at, $8, $7,
       array_append(former_merchants, merchant_id)
     from incoming_transfers where merchant_id = $1 and rail = $2 and transfer_key = $3`,
    [...keyOf(transfer), to.merchantId, to.transactionId, mismatch, resolution, timestamp(at), left.minor, state],
  );
  await transaction.query(
    `update incoming_transfers set state = $6, resolution = $4, resolved_at = $5
     where merchant_id = $1 and rail = $2 and transfer_key = $3`,
    [...keyOf(transfer), resolution, timestamp(at), former],
  );
  await transaction.query('update incoming_transfer_keys set merchant_id = $3 where rail = $1 and transfer_key = $2', [
    transfer.rail,
    transfer.transferKey,
    to.merchantId,
  ]);
}
