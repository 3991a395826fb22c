/**
 * One batch of changes to deposits. It locks the merchants and reads deposits and balances. The caller adds plans one by one;
 * each is made from the state that the earlier deposits leave. Then the batch writes state, money, history and callbacks together.
 * `receiveTransfers` commits such a batch for incoming transfers.
 */
import type { Deposit, DepositKey, TransferId, TransferState } from '../../domain/deposits/deposit.ts';
import type { DepositPlan, ReceiptOutcome, ReceiptRequest } from '../../domain/deposits/deposit-store.ts';
import { OPEN_STATES } from '../../domain/deposits/deposit-transitions.ts';
import type { Journal } from '../../domain/ledger/transfer.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { insertCallbacks } from '../callbacks/callback-store.ts';
import { FOR_CLUSTER, merchantsOf, STEP_BY_STEP } from '../core/cluster-text.ts';
import type { Database, Queryable } from '../core/database.ts';
import { FactsChanged, names } from '../core/database-errors.ts';
import { stateList, timestamp } from '../core/parameters.ts';
import {
  type BalanceBook,
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
} from '../ledger/ledger-posting.ts';
import {
  DEPOSIT_COLUMNS,
  type DepositRow,
  depositFromRow,
  type IncomingTransferRow,
  newTransferRow,
} from './deposit-rows.ts';

const READ = `
select ${DEPOSIT_COLUMNS},
  (select max(h.entry) from deposit_history as h
   where h.merchant_id = any($1::text[]) ${FOR_CLUSTER} and h.merchant_id = d.merchant_id and h.transaction_id = d.transaction_id) as entries
from unnest($1::text[], $2::bigint[]) as k(merchant_id, transaction_id)
join deposits as d using (merchant_id, transaction_id) where d.merchant_id = any($1::text[]) ${FOR_CLUSTER}`;

/** The filter is on the state and not on `finished_at`, so that the planner does not choose an index of all open deposits. */
const WRITE = `${STEP_BY_STEP}
with settled as (
  select * from json_to_recordset($2) as r(
    merchant_id text, transaction_id bigint, state text, fail_reason text, received bigint, fee bigint, finished_at timestamptz,
    entry integer, at timestamptz, event text, from_state text, to_state text, actor text, detail text)),
finished as (
  update deposits as d set state = s.state, fail_reason = s.fail_reason, received = s.received, fee = s.fee,
    finished_at = s.finished_at
  from settled as s
  where s.state is not null and d.merchant_id = any($1::text[]) ${FOR_CLUSTER} and d.merchant_id = s.merchant_id and d.transaction_id = s.transaction_id
    and d.state in (${stateList(OPEN_STATES)})
  returning d.merchant_id),
recorded as (
  insert into deposit_history (merchant_id, transaction_id, entry, at, event, from_state, to_state, actor, detail)
  select merchant_id, transaction_id, entry, at, event, from_state, to_state, actor, detail from settled where event is not null),
posting as (select * from json_to_recordset($3) as t(${TRANSFER_COLUMNS})),
${POST_TRANSFERS}
select count(*)::int as finished from finished`;

/** The state of one deposit within a batch. Each plan that the batch adds updates it. */
interface LockedDeposit {
  deposit: Deposit;
  entries: number;
}

interface Planned {
  readonly locked: LockedDeposit | undefined;
  readonly entry: number;
  readonly plan: DepositPlan;
  readonly at: number;
}

/** A merchant and its deposit. If no currency is given, the deposit's own currency is used. */
export interface Wanted {
  readonly merchantId: MerchantId;
  readonly transactionId: number | null;
  readonly currency: Currency | undefined;
}

export type DepositBatch = Awaited<ReturnType<typeof openDepositBatch>>;

/** Locks the merchants and reads the wanted deposits. The caller then adds plans and writes them together. */
export async function openDepositBatch(transaction: Queryable, wanted: readonly Wanted[]) {
  const merchants = wanted.map(({ merchantId }) => merchantId);
  await lockMerchants(transaction, merchants);
  const lockedDeposits = await readLocked(transaction, wanted);
  const book = await openBalanceBook(transaction, [
    ...wanted.flatMap(({ merchantId, currency }) => (currency ? [{ merchantId, currency }] : [])),
    ...[...lockedDeposits.values()].map(({ deposit }) => ({
      merchantId: deposit.merchantId,
      currency: deposit.money.currency,
    })),
  ]);
  const planned: Planned[] = [];
  return {
    book,
    locked: ({ merchantId, transactionId }: DepositKey): LockedDeposit | undefined =>
      lockedDeposits.get(`${merchantId}/${transactionId}`),
    add(locked: LockedDeposit | undefined, plan: DepositPlan, at: number): void {
      for (const journal of plan.journals) postJournal(book, journal);
      if (locked && plan.history) locked.entries += 1;
      if (locked && plan.change) locked.deposit = { ...locked.deposit, ...plan.change };
      planned.push({ locked, entry: locked?.entries ?? 0, plan, at });
    },
    write: () => writePlans(transaction, planned, book),
  };
}

function postJournal(book: BalanceBook, journal: Journal): void {
  invariant(book.add(journal), `settlement would take a balance below its minimum: ${journal.journalId}`);
}

async function readLocked(transaction: Queryable, wanted: readonly Wanted[]): Promise<Map<string, LockedDeposit>> {
  const named = wanted.filter(({ transactionId }) => transactionId !== null);
  if (named.length === 0) return new Map();
  const rows = await transaction.prepared<DepositRow & { entries: number }>('read-deposit-facts', READ, [
    named.map(({ merchantId }) => merchantId),
    named.map(({ transactionId }) => transactionId),
  ]);
  return new Map(
    rows.map((row) => [
      `${row.merchant_id}/${row.transaction_id}`,
      { deposit: depositFromRow(row), entries: row.entries },
    ]),
  );
}

async function writePlans(transaction: Queryable, planned: readonly Planned[], book: BalanceBook): Promise<void> {
  if (planned.length === 0) return;
  await createAccounts(transaction, book);
  const transfers = planned.flatMap(({ plan, at }) =>
    plan.journals.flatMap((journal) => transferRows(journal, at, {})),
  );
  const settled = planned.filter(({ locked, plan }) => locked && (plan.change || plan.history)).map(settledRow);
  const merchants = new Set([...settled.map((row) => row['merchant_id']), ...transfers.map((row) => row.merchant_id)]);
  const [result] = await transaction.prepared<{ finished: number }>('settle-deposits', WRITE, [
    [...merchants],
    JSON.stringify(settled),
    JSON.stringify(transfers),
  ]);
  const changes = planned.filter(({ plan }) => plan.change !== null);
  invariant(result?.finished === changes.length, 'deposit left a final state');
  const callbacks = planned.flatMap(({ plan }) => plan.callbacks);
  await insertCallbacks(transaction, callbacks);
}

function settledRow({ locked, entry, plan }: Planned): Record<string, unknown> {
  const { change, history } = plan;
  return {
    merchant_id: locked?.deposit.merchantId,
    transaction_id: locked?.deposit.transactionId,
    state: change?.state ?? null,
    fail_reason: change?.failReason ?? null,
    received: change?.received.toString() ?? null,
    fee: change?.fee.toString() ?? null,
    finished_at: change ? timestamp(change.finishedAt) : null,
    entry,
    at: history ? timestamp(history.at) : null,
    event: history?.event ?? null,
    from_state: history?.fromState ?? null,
    to_state: history?.toState ?? null,
    actor: history?.actor ?? null,
    detail: history?.detail ?? null,
  };
}

/**
 * The directory's key makes each transfer count only once. The directory does not belong to a merchant, because an address may
 * be given to another merchant.
 */
const RECORD_TRANSFERS = `${STEP_BY_STEP}
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
const KNOWN = `${STEP_BY_STEP}
with listed as materialized (
  select rail, transfer_key, k.merchant_id from unnest($1::text[], $2::text[]) as asked(rail, transfer_key)
  join incoming_transfer_keys as k using (rail, transfer_key))
select rail, transfer_key, t.state, t.currency, t.amount, t.pay_to from listed
join incoming_transfers as t using (merchant_id, rail, transfer_key)
where t.merchant_id = ${merchantsOf('listed')} ${FOR_CLUSTER}`;

/**
 * Commits incoming transfers in one transaction: it reads the facts under the merchants' locks, the domain plans, and it writes
 * transfer, state, money, history and callbacks. It records each transfer once, so it is safe to run again. The outcomes have
 * the order of `requests`.
 */
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
      batch.add(locked, plan, recordedAt);
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

interface KnownTransferRow
  extends Pick<IncomingTransferRow, 'rail' | 'transfer_key' | 'currency' | 'amount' | 'pay_to'> {
  readonly state: TransferState;
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
 * Concurrent notifications of one transfer may belong to two merchants, because its address changed owner. The second batch
 * retries.
 */
export async function recordTransfers(transaction: Queryable, rows: readonly Record<string, unknown>[]): Promise<void> {
  try {
    await transaction.prepared('record-transfers', RECORD_TRANSFERS, [JSON.stringify(rows)]);
  } catch (error) {
    if (names(error, 'incoming_transfer_keys_pkey'))
      throw new FactsChanged('a transfer was reported twice concurrently');
    throw error;
  }
}
