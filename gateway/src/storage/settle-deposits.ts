/**
 * The commits that end deposits: transfers that came in, and whatever else settles one. Both read the facts under the
 * merchants' locks, let the domain plan, and write transfer, state, money, history and callbacks together.
 */
import type { Deposit, DepositKey } from '../domain/deposits/deposit.ts';
import type {
  DepositPlan,
  DepositSettlement,
  DepositSettlementOutcome,
  ReceiptOutcome,
  ReceiptRequest,
} from '../domain/deposits/deposit-store.ts';
import type { Journal } from '../domain/ledger/transfer.ts';
import type { MerchantId } from '../domain/merchants/merchant.ts';
import type { Currency } from '../foundation/currency.ts';
import { invariant } from '../foundation/invariant.ts';
import { insertCallbacks } from './callback-store.ts';
import { type Database, type Queryable, timestamp } from './database.ts';
import { FactsChanged } from './database-errors.ts';
import { DEPOSIT_COLUMNS, type DepositRow, depositFromRow } from './deposit-rows.ts';
import {
  type BalanceBook,
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
} from './ledger-posting.ts';

const READ = `
select ${DEPOSIT_COLUMNS},
  (select max(h.entry) from deposit_history as h
   where h.merchant_id = d.merchant_id and h.transaction_id = d.transaction_id) as entries
from unnest($1::text[], $2::bigint[]) as k(merchant_id, transaction_id)
join deposits as d using (merchant_id, transaction_id)`;

/** The directory's key is what makes a transfer count once; it stands above the merchants, since an address may change hands. */
const RECORD_TRANSFERS = `
with incoming as (
  select * from json_to_recordset($1) as r(
    merchant_id text, rail text, transfer_key text, transaction_id bigint, pay_to text, currency text, amount bigint,
    originator jsonb, mismatch text, state text, found_by text, booked_at timestamptz, recorded_at timestamptz)),
listed as (
  insert into incoming_transfer_keys (rail, transfer_key, merchant_id)
  select rail, transfer_key, merchant_id from incoming order by rail, transfer_key)
insert into incoming_transfers (merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
  mismatch, state, found_by, booked_at, recorded_at)
select merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
  mismatch, state, found_by, booked_at, recorded_at from incoming`;

const KNOWN = `
select rail, transfer_key from unnest($1::text[], $2::text[]) as k(rail, transfer_key)
join incoming_transfer_keys using (rail, transfer_key)`;

const WRITE = `
with settled as (
  select * from json_to_recordset($1) as r(
    merchant_id text, transaction_id bigint, state text, fail_reason text, received bigint, fee bigint, finished_at timestamptz,
    entry smallint, at timestamptz, event text, from_state text, to_state text, actor text, detail text)),
finished as (
  update deposits as d set state = s.state, fail_reason = s.fail_reason, received = s.received, fee = s.fee,
    finished_at = s.finished_at
  from settled as s
  where s.state is not null and d.merchant_id = s.merchant_id and d.transaction_id = s.transaction_id and d.finished_at is null
  returning d.merchant_id),
recorded as (
  insert into deposit_history (merchant_id, transaction_id, entry, at, event, from_state, to_state, actor, detail)
  select merchant_id, transaction_id, entry, at, event, from_state, to_state, actor, detail from settled where event is not null),
posting as (select * from json_to_recordset($2) as t(${TRANSFER_COLUMNS})),
${POST_TRANSFERS}
select count(*)::int as finished from finished`;

/** One deposit's state within a batch, kept true while the batch's plans are taken in. */
interface Standing {
  deposit: Deposit;
  entries: number;
}

interface Planned {
  readonly standing: Standing | undefined;
  readonly entry: number;
  readonly plan: DepositPlan;
  readonly at: number;
}

/** Receives each of `requests`, in their order; outcomes in the same order. Safe to run again. */
export function receiveTransfers(database: Database, requests: readonly ReceiptRequest[]): Promise<ReceiptOutcome[]> {
  return database.transaction(async (transaction) => {
    const batch = await openBatch(transaction, requests.map(readReceipt));
    const known = await readKnown(transaction, requests);
    const rows: Record<string, unknown>[] = [];
    const outcomes = requests.map((request): ReceiptOutcome => {
      const key = transferText(request);
      if (known.has(key)) return { kind: 'known' };
      known.add(key);
      const { merchantId, transactionId, transfer, recordedAt } = request;
      const standing = transactionId === null ? undefined : batch.standing({ merchantId, transactionId });
      const balances = batch.book.balances(merchantId, transfer.money.currency);
      const plan = request.plan({ deposit: standing?.deposit, balances });
      batch.take(standing, plan, recordedAt);
      rows.push(transferRow(request, plan.transfer));
      return { kind: 'recorded', plan };
    });
    if (rows.length > 0) await recordTransfers(transaction, rows);
    await batch.write();
    return outcomes;
  });
}

/** Settles each of `settlements`, in their order; outcomes in the same order. Safe to run again. */
export function settleDeposits(
  database: Database,
  settlements: readonly DepositSettlement[],
): Promise<DepositSettlementOutcome[]> {
  return database.transaction(async (transaction) => {
    const batch = await openBatch(
      transaction,
      settlements.map((settlement) => ({ ...settlement, currency: undefined })),
    );
    const outcomes = settlements.map((settlement): DepositSettlementOutcome => {
      const standing = batch.standing(settlement);
      if (!standing) return { kind: 'not_found' };
      const { deposit } = standing;
      const balances = batch.book.balances(deposit.merchantId, deposit.money.currency);
      const plan = settlement.plan({ deposit, balances });
      if (!plan) return { kind: 'unchanged', deposit };
      batch.take(standing, plan, plan.history?.at ?? 0);
      return { kind: 'settled', plan };
    });
    await batch.write();
    return outcomes;
  });
}

interface Wanted {
  readonly merchantId: MerchantId;
  readonly transactionId: number | null;
  readonly currency: Currency | undefined;
}

function readReceipt({ merchantId, transactionId, transfer }: ReceiptRequest): Wanted {
  return { merchantId, transactionId, currency: transfer.money.currency };
}

async function openBatch(transaction: Queryable, wanted: readonly Wanted[]) {
  await lockMerchants(
    transaction,
    wanted.map(({ merchantId }) => merchantId),
  );
  const standings = await readStandings(transaction, wanted);
  const book = await openBalanceBook(transaction, [
    ...wanted.flatMap(({ merchantId, currency }) => (currency ? [{ merchantId, currency }] : [])),
    ...[...standings.values()].map(({ deposit }) => ({
      merchantId: deposit.merchantId,
      currency: deposit.money.currency,
    })),
  ]);
  const planned: Planned[] = [];
  return {
    book,
    standing: ({ merchantId, transactionId }: DepositKey) => standings.get(`${merchantId}/${transactionId}`),
    take(standing: Standing | undefined, plan: DepositPlan, at: number): void {
      for (const journal of plan.journals) takeJournal(book, journal);
      if (standing && plan.history) standing.entries += 1;
      if (standing && plan.change) standing.deposit = { ...standing.deposit, ...plan.change };
      planned.push({ standing, entry: standing?.entries ?? 0, plan, at });
    },
    write: () => writePlans(transaction, planned, book),
  };
}

function takeJournal(book: BalanceBook, journal: Journal): void {
  invariant(book.take(journal), `settling would break a floor: ${journal.journalId}`);
}

async function readStandings(transaction: Queryable, wanted: readonly Wanted[]): Promise<Map<string, Standing>> {
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

async function readKnown(transaction: Queryable, requests: readonly ReceiptRequest[]): Promise<Set<string>> {
  const rows = await transaction.prepared<{ rail: string; transfer_key: string }>('find-known-transfers', KNOWN, [
    requests.map(({ transfer }) => transfer.rail),
    requests.map(({ transfer }) => transfer.transferKey),
  ]);
  return new Set(rows.map((row) => `${row.rail} ${row.transfer_key}`));
}

function transferText({ transfer }: ReceiptRequest): string {
  return `${transfer.rail} ${transfer.transferKey}`;
}

/** Told at the same moment for two merchants, since its address changed hands: one of them is first, the other looks anew. */
async function recordTransfers(transaction: Queryable, rows: readonly Record<string, unknown>[]): Promise<void> {
  try {
    await transaction.prepared('record-transfers', RECORD_TRANSFERS, [JSON.stringify(rows)]);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'incoming_transfer_keys_pkey')
      throw new FactsChanged('a transfer was told twice at once');
    throw error;
  }
}

async function writePlans(transaction: Queryable, planned: readonly Planned[], book: BalanceBook): Promise<void> {
  if (planned.length === 0) return;
  await createAccounts(transaction, book);
  const transfers = planned.flatMap(({ plan, at }) =>
    plan.journals.flatMap((journal) => transferRows(journal, at, {})),
  );
  const settled = planned.filter(({ standing, plan }) => standing && (plan.change || plan.history)).map(settledRow);
  const [result] = await transaction.prepared<{ finished: number }>('settle-deposits', WRITE, [
    JSON.stringify(settled),
    JSON.stringify(transfers),
  ]);
  const changes = planned.filter(({ plan }) => plan.change !== null);
  invariant(result?.finished === changes.length, 'a deposit left a final state');
  await insertCallbacks(
    transaction,
    planned.flatMap(({ plan }) => plan.callbacks),
  );
}

function settledRow({ standing, entry, plan }: Planned): Record<string, unknown> {
  const { change, history } = plan;
  return {
    merchant_id: standing?.deposit.merchantId,
    transaction_id: standing?.deposit.transactionId,
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

function transferRow(
  { merchantId, transactionId, transfer, foundBy, recordedAt }: ReceiptRequest,
  to: { readonly state: string; readonly mismatch: string | null },
): Record<string, unknown> {
  return {
    merchant_id: merchantId,
    rail: transfer.rail,
    transfer_key: transfer.transferKey,
    transaction_id: transactionId,
    pay_to: transfer.payTo,
    currency: transfer.money.currency,
    amount: transfer.money.minor.toString(),
    originator: transfer.originator,
    mismatch: to.mismatch,
    state: to.state,
    found_by: foundBy,
    booked_at: timestamp(transfer.bookedAt),
    recorded_at: timestamp(recordedAt),
  };
}
