/**
 * The commit of incoming transfers. It reads the facts under the merchants' locks, the domain plans, and one transaction writes
 * transfer, state, money, history and callbacks. Each transfer is recorded once.
 */
import type { TransferId, TransferState } from '../../domain/deposits/deposit.ts';
import type { ReceiptOutcome, ReceiptRequest } from '../../domain/deposits/deposit-store.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { Database, Queryable } from '../core/database.ts';
import { FactsChanged } from '../core/database-errors.ts';
import { openDepositBatch, type Wanted } from './deposit-batch.ts';
import { newTransferRow } from './deposit-rows.ts';

/**
 * The key of the directory makes a transfer count once. The directory is above the merchants, because an address may change its
 * merchant.
 */
const RECORD_TRANSFERS = `
with incoming as (
  select * from json_to_recordset($1) as r(
    merchant_id text, rail text, transfer_key text, transaction_id bigint, pay_to text, currency text, amount bigint,
    originator jsonb, mismatch text, state text, found_by text, booked_at timestamptz, recorded_at timestamptz,
    vault_token text, master_key_id text, wrapped_key bytea, ciphertext bytea)),
listed as (
  insert into incoming_transfer_keys (rail, transfer_key, merchant_id)
  select rail, transfer_key, merchant_id from incoming order by rail, transfer_key),
sealed as (
  insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, recorded_at from incoming
  where vault_token is not null)
insert into incoming_transfers (merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
  mismatch, state, found_by, booked_at, recorded_at)
select merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
  mismatch, state, found_by, booked_at, recorded_at from incoming`;

/** Reads the directory before the merchants' tables, which are on other nodes of a cluster. */
const KNOWN = `
with listed as materialized (
  select rail, transfer_key, k.merchant_id from unnest($1::text[], $2::text[]) as asked(rail, transfer_key)
  join incoming_transfer_keys as k using (rail, transfer_key))
select rail, transfer_key, t.state, t.currency, t.amount, t.pay_to from listed
join incoming_transfers as t using (merchant_id, rail, transfer_key)`;

/** Receives each of `requests` in order and gives the outcomes in the same order. Safe to run again. */
export function receiveTransfers(database: Database, requests: readonly ReceiptRequest[]): Promise<ReceiptOutcome[]> {
  return database.transaction(async (transaction) => {
    const batch = await openDepositBatch(transaction, requests.map(readReceipt));
    const known = await readKnown(transaction, requests);
    const rows: Record<string, unknown>[] = [];
    const outcomes = requests.map((request): ReceiptOutcome => {
      const key = textOf(request.transfer);
      const before = known.get(key);
      if (before) return { kind: 'known', ...before };
      const { merchantId, transactionId, transfer, recordedAt } = request;
      const locked = transactionId === null ? undefined : batch.locked({ merchantId, transactionId });
      const balances = batch.book.balances(merchantId, transfer.money.currency);
      const plan = request.plan({ deposit: locked?.deposit, balances });
      batch.take(locked, plan, recordedAt);
      rows.push(newTransferRow(request, plan.transfer));
      known.set(key, { state: plan.transfer.state, money: transfer.money, payTo: transfer.payTo });
      return { kind: 'recorded', plan };
    });
    if (rows.length > 0) await recordTransfers(transaction, rows);
    await batch.write();
    return outcomes;
  });
}

function readReceipt({ merchantId, transactionId, transfer }: ReceiptRequest): Wanted {
  return { merchantId, transactionId, currency: transfer.money.currency };
}

interface KnownTransferRow {
  readonly rail: string;
  readonly transfer_key: string;
  readonly state: TransferState;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly pay_to: string;
}

type KnownTransfers = Map<string, Omit<Extract<ReceiptOutcome, { kind: 'known' }>, 'kind'>>;

async function readKnown(transaction: Queryable, requests: readonly ReceiptRequest[]): Promise<KnownTransfers> {
  const rows = await transaction.prepared<KnownTransferRow>('find-known-transfers', KNOWN, [
    requests.map(({ transfer }) => transfer.rail),
    requests.map(({ transfer }) => transfer.transferKey),
  ]);
  return new Map(
    rows.map(({ rail, transfer_key: transferKey, state, currency, amount, pay_to }) => [
      textOf({ rail, transferKey }),
      { state, money: { currency, minor: amount }, payTo: pay_to },
    ]),
  );
}

function textOf({ rail, transferKey }: TransferId): string {
  return `${rail} ${transferKey}`;
}

/**
 * Two notifications of one transfer may name two merchants at once, because its address changed owner. The second one retries.
 */
export async function recordTransfers(transaction: Queryable, rows: readonly Record<string, unknown>[]): Promise<void> {
  try {
    await transaction.prepared('record-transfers', RECORD_TRANSFERS, [JSON.stringify(rows)]);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'incoming_transfer_keys_pkey')
      throw new FactsChanged('a transfer was reported twice at once');
    throw error;
  }
}
