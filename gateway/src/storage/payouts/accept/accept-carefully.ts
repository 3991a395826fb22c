/**
 * Accepts payouts one by one: the path of a batch in which some payout is repeated, is not affordable, waits for approval, or
 * is the merchant's first. Other batches use the statement of accept-at-once.ts.
 */
import { balanceOf } from '../../../domain/ledger/transfer.ts';
import type { AcceptOutcome, NewPayout } from '../../../domain/payouts/payout-store.ts';
import { stageAfter } from '../../../domain/payouts/payout-transitions.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { lockMerchantsOf } from '../../core/advisory-locks.ts';
import { STEP_BY_STEP } from '../../core/cluster-text.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { isFloorBroken } from '../../core/database-errors.ts';
import {
  type BalanceBook,
  createAccounts,
  FLOORED,
  LARGEST_BALANCE,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
  WANTED_CHANGES,
} from '../../ledger/ledger-posting.ts';
import { keyFromRow, keyText, newPayoutRow, type PayoutKeyRow, readPayouts } from '../payout-rows.ts';

const QUEUED = stageAfter('new', 'accepted');
const AWAITING = stageAfter('new', 'approval_required');

/**
 * The entire commit in one statement. It locks its merchants before it writes. A transaction that waited for a repeated key
 * while others wait for its merchants would deadlock.
 */
const acceptStatement = (chosen: string) => `${STEP_BY_STEP}
with incoming as materialized (
  select * from json_to_recordset($2) as r(
    merchant_id text, payout_id text, transaction_id bigint, purpose text, method smallint, currency text, amount bigint, amount_text text,
    fee bigint, rail text, account_shown text, fields jsonb, vault_token text, content_hash bytea, seal bytea, accepted_at timestamptz,
    master_key_id text, wrapped_key bytea, ciphertext bytea, why text,
    approve_by timestamptz, approval_why text,
    maker_kind text, maker_id text, maker_name text, maker_people text[], maker_mailbox text)),
transfers as materialized (select * from json_to_recordset($3) as t(${TRANSFER_COLUMNS})),
${chosen},
locked as materialized (
  ${lockMerchantsOf('chosen')}),
inserted as (
  insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_by, accepted_why)
  select merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at,
    coalesce(maker_name, case when purpose <> 'payout' then 'operator' end), why
  from chosen where (select count(*) from locked) > 0 order by merchant_id, payout_id
  on conflict (merchant_id, payout_id) do nothing
  returning merchant_id, payout_id),
fresh as materialized (select i.* from incoming as i join inserted using (merchant_id, payout_id)),
vaulted as (
  insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from fresh where vault_token is not null),
queued as (
  insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at, approve_by)
  select merchant_id, payout_id, rail, purpose, method, case when approve_by is null then '${QUEUED}' else '${AWAITING}' end,
    accepted_at, accepted_at, approve_by from fresh),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, to_state, actor, detail)
  select merchant_id, payout_id, 2, accepted_at, 'approval_required', 'pending', 'gateway', approval_why
  from fresh where approve_by is not null),
made as (
  insert into payout_makers (merchant_id, payout_id, kind, id, name, people, mailbox)
  select merchant_id, payout_id, coalesce(maker_kind, 'merchant'), coalesce(maker_id, ''), coalesce(maker_name, 'merchant'),
    coalesce(maker_people, '{}'), coalesce(maker_mailbox, '') from fresh
  where maker_kind is not null or approve_by is not null),
posting as materialized (select transfers.* from transfers join inserted using (merchant_id, payout_id)),
${POST_TRANSFERS}
select merchant_id, payout_id from incoming left join inserted as i using (merchant_id, payout_id) where i is null`;

/** The statement for a caller that holds the merchants' locks and has checked their balances. */
export const ACCEPT_AFFORDED = acceptStatement('chosen as (select * from incoming)');

/**
 * Accepts without an earlier read. It chooses payouts whose accounts exist and stay within the largest balance, of merchants
 * without a debt. The balance must cover all payouts of the merchant in this batch when the statement begins. If the money is
 * gone when the lock is held, the floors of the accounts reject the statement.
 */
export const ACCEPT_READY = acceptStatement(`${WANTED_CHANGES},
ready as materialized (
  select w.merchant_id, w.currency from wanted as w
  join ledger_accounts as a on a.merchant_id = w.merchant_id and a.currency = w.currency
  where a.merchant_id = any($1::text[]) and a.account in (w.account, 'owed')
  group by w.merchant_id, w.currency
  having count(*) filter (where a.account = w.account) = max(w.accounts) and min(
    case when a.account = w.account and a.account in (${[...FLOORED].map((account) => `'${account}'`).join(', ')}) then a.balance + w.amount
      when a.account = 'owed' then a.balance else 0 end) >= 0
    and max(abs(a.balance + w.amount)) filter (where a.account = w.account) <= ${LARGEST_BALANCE}),
chosen as (select i.* from incoming as i join ready using (merchant_id, currency))`);

/** Accepts payouts with distinct ids, and returns the outcome of each by its key. */
export async function acceptCarefully(
  database: Database,
  items: readonly NewPayout[],
): Promise<Map<string, AcceptOutcome>> {
  const open = await acceptReady(database, items);
  const careful =
    open.length > 0 ? await database.transaction((transaction) => acceptOneByOne(transaction, open)) : undefined;
  return new Map(items.map(({ payout }) => [keyText(payout), careful?.get(keyText(payout)) ?? CREATED]));
}

export const CREATED = { kind: 'created' } as const;

/**
 * Accepts a batch in which some payout is not normal in one round trip. It returns payouts that need a check: repeated, not
 * affordable, or the merchant's first.
 */
async function acceptReady(database: Database, items: readonly NewPayout[]): Promise<NewPayout[]> {
  try {
    const left = await writeAccepted(database, items, 'accept-ready', ACCEPT_READY);
    return left.size === 0 ? [] : items.filter(({ payout }) => left.has(keyText(payout)));
  } catch (error) {
    if (isFloorBroken(error)) return [...items];
    throw error;
  }
}

/** Locks the merchants and checks each payout in order. */
async function acceptOneByOne(
  transaction: Queryable,
  items: readonly NewPayout[],
): Promise<Map<string, AcceptOutcome>> {
  const merchants = items.map(({ payout }) => payout.merchantId);
  await lockMerchants(transaction, merchants);
  const journals = items.map(({ journal }) => journal);
  const book = await openBalanceBook(transaction, journals);
  // A repeated payout would use up balance although it is not written. So the affordable payouts are written first, and
  // payouts that were rejected in one batch with a repeated one are checked again.
  const outcomes = new Map<string, AcceptOutcome>();
  const affordable = items.filter((item) => reserveFrom(book, item));
  const repeated = affordable.length > 0 ? await insertAfforded(transaction, affordable, book) : new Set<string>();
  for (const { payout } of affordable) if (!repeated.has(keyText(payout))) outcomes.set(keyText(payout), CREATED);

  const open = items.filter(({ payout }) => !outcomes.has(keyText(payout)));
  if (open.length === 0) return outcomes;
  for (const payout of await readPayouts(
    transaction,
    open.map(({ payout }) => payout),
  )) {
    outcomes.set(keyText(payout), { kind: 'exists', payout });
  }
  const refused = open.filter(({ payout }) => !outcomes.has(keyText(payout)));
  const retried = refused.length > 0 && repeated.size > 0 ? await acceptOneByOne(transaction, refused) : undefined;
  for (const { payout } of refused) {
    outcomes.set(keyText(payout), retried?.get(keyText(payout)) ?? { kind: 'insufficient_funds' });
  }
  return outcomes;
}

/** A merchant with a debt sends no payouts, whatever its available balance (decision 31). */
function reserveFrom(book: BalanceBook, { journal }: NewPayout): boolean {
  const owes = balanceOf(book.balances(journal.merchantId, journal.currency), 'owed') < 0n;
  return !owes && book.add(journal);
}

/** Accepts one payout with other changes of the transaction. The caller must know that the balance covers it. */
export async function acceptWithin(transaction: Queryable, item: NewPayout, book: BalanceBook): Promise<void> {
  invariant(book.add(item.journal), `acceptance would take a balance below its minimum: ${item.journal.journalId}`);
  const repeated = await insertAfforded(transaction, [item], book);
  invariant(repeated.size === 0, "one of the gateway's own payouts already exists");
}

/** Inserts payouts that the balances cover. Returns the keys of those that exist already. */
async function insertAfforded(
  transaction: Queryable,
  items: readonly NewPayout[],
  book: BalanceBook,
): Promise<Set<string>> {
  await createAccounts(transaction, book);
  return writeAccepted(transaction, items, 'accept-afforded', ACCEPT_AFFORDED);
}

/** Runs the statement, which writes the payouts. Returns the keys of those that it left out. */
async function writeAccepted(
  queryable: Queryable,
  items: readonly NewPayout[],
  name: string,
  text: string,
): Promise<Set<string>> {
  const left = await queryable.prepared<PayoutKeyRow>(name, text, [
    items.map(({ payout }) => payout.merchantId),
    JSON.stringify(items.map(newPayoutRow)),
    JSON.stringify(
      items.flatMap(({ journal, payout: { acceptedAt, payoutId } }) => transferRows(journal, acceptedAt, { payoutId })),
    ),
  ]);
  return new Set(left.map((row) => keyText(keyFromRow(row))));
}
