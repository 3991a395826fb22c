/**
 * The accepting commit: many payouts, each all or nothing. What decides is the unique key (a payout happens once) and
 * the balance under the merchant's lock (no money is promised twice).
 */
import { balanceOf } from '../domain/ledger/transfer.ts';
import { OWN_METHODS, type Payout, type PayoutKey } from '../domain/payouts/payout.ts';
import type { AcceptOutcome, NewPayout } from '../domain/payouts/payout-store.ts';
import { invariant } from '../foundation/invariant.ts';
import { byteaText, type Database, type Queryable } from './database.ts';
import {
  type BalanceBook,
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
} from './ledger-posting.ts';
import {
  keyFromRow,
  keyText,
  newPayoutRow,
  PAYOUT_COLUMNS,
  type PayoutKeyRow,
  type PayoutRow,
  payoutFromRow,
} from './payout-rows.ts';

const INSERT_ACCEPTED = `
with incoming as (
  select * from json_to_recordset($1) as r(
    merchant_id text, payout_id text, transaction_id bigint, method smallint, currency text, amount bigint, amount_text text,
    fee bigint, rail text, account_shown text, fields jsonb, vault_token text, content_hash bytea, accepted_at timestamptz,
    master_key_id text, wrapped_key bytea, ciphertext bytea)),
inserted as (
  insert into payouts (merchant_id, payout_id, transaction_id, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, state, code, accepted_at)
  select merchant_id, payout_id, transaction_id, method, currency, amount, amount_text, fee, rail,
    account_shown, fields, vault_token, content_hash, 'pending', '40', accepted_at from incoming
  on conflict (merchant_id, payout_id) do nothing
  returning merchant_id, payout_id),
fresh as (select i.* from incoming as i join inserted using (merchant_id, payout_id)),
vaulted as (
  insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
  select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from fresh where vault_token is not null),
queued as (
  insert into payout_jobs (merchant_id, payout_id, rail, method, stage, stage_since, due_at)
  select merchant_id, payout_id, rail, method, 'queued', accepted_at, accepted_at from fresh),
recorded as (
  insert into payout_history (merchant_id, payout_id, entry, at, event, to_state, actor)
  select merchant_id, payout_id, 1, accepted_at, 'accepted', 'pending', 
    case when method in (${[...OWN_METHODS].join(', ')}) then 'operator' else 'merchant' end from fresh),
posting as (
  select t.* from json_to_recordset($2) as t(${TRANSFER_COLUMNS}) join inserted using (merchant_id, payout_id)),
${POST_TRANSFERS}
select merchant_id, payout_id from inserted`;

/** Accepts each of `items`; outcomes in the same order. Safe to run again with the same items. */
export async function acceptPayouts(database: Database, items: readonly NewPayout[]): Promise<AcceptOutcome[]> {
  const first = new Map<string, NewPayout>();
  for (const item of items) if (!first.has(keyText(item.payout))) first.set(keyText(item.payout), item);
  const outcomes = await database.transaction((transaction) => acceptDistinct(transaction, [...first.values()]));

  const results: (AcceptOutcome | undefined)[] = items.map((item) => {
    const leader = first.get(keyText(item.payout));
    const outcome = outcomes.get(keyText(item.payout));
    if (item === leader || outcome === undefined) return outcome;
    return outcome.kind === 'created' ? { kind: 'exists', payout: (leader as NewPayout).payout } : outcome;
  });
  return results.map((result) => {
    invariant(result, 'an accepted batch lost one of its payouts');
    return result;
  });
}

async function acceptDistinct(
  transaction: Queryable,
  items: readonly NewPayout[],
): Promise<Map<string, AcceptOutcome>> {
  await lockMerchants(
    transaction,
    items.map(({ payout }) => payout.merchantId),
  );
  const book = await openBalanceBook(
    transaction,
    items.map(({ journal }) => journal),
  );
  // A payout that exists already would take its money from the book for nothing, so the affordable ones are written
  // first, and whoever was refused beside a repeated one is looked at once more.
  const outcomes = new Map<string, AcceptOutcome>();
  const affordable = items.filter((item) => takeFrom(book, item));
  const created = affordable.length > 0 ? await insertAccepted(transaction, affordable, book) : new Set<string>();
  for (const key of created) outcomes.set(key, { kind: 'created' });

  const open = items.filter(({ payout }) => !created.has(keyText(payout)));
  if (open.length === 0) return outcomes;
  for (const payout of await readPayouts(
    transaction,
    open.map(({ payout }) => payout),
  )) {
    outcomes.set(keyText(payout), { kind: 'exists', payout });
  }
  const refused = open.filter(({ payout }) => !outcomes.has(keyText(payout)));
  const retried =
    refused.length > 0 && affordable.length > created.size ? await acceptDistinct(transaction, refused) : undefined;
  for (const { payout } of refused) {
    outcomes.set(keyText(payout), retried?.get(keyText(payout)) ?? { kind: 'insufficient_funds' });
  }
  return outcomes;
}

/** A merchant who owes something sends no payouts, whatever is available (decisions, States and money). */
function takeFrom(book: BalanceBook, { journal }: NewPayout): boolean {
  const owes = balanceOf(book.balances(journal.merchantId, journal.currency), 'owed') < 0n;
  return !owes && book.take(journal);
}

/** One payout beside other changes of the same transaction, whose money its caller knows to be there. */
export async function acceptWithin(transaction: Queryable, item: NewPayout, book: BalanceBook): Promise<void> {
  invariant(book.take(item.journal), `accepting would break a floor: ${item.journal.journalId}`);
  const created = await insertAccepted(transaction, [item], book);
  invariant(created.has(keyText(item.payout)), 'a payout of the gateway itself exists already');
}

async function insertAccepted(
  transaction: Queryable,
  items: readonly NewPayout[],
  book: BalanceBook,
): Promise<Set<string>> {
  await createAccounts(transaction, book);
  const rows = items.map(({ payout, vaultRecord }) => ({
    ...newPayoutRow(payout),
    master_key_id: vaultRecord?.sealed.masterKeyId,
    wrapped_key: vaultRecord ? byteaText(vaultRecord.sealed.wrappedKey) : null,
    ciphertext: vaultRecord ? byteaText(vaultRecord.sealed.ciphertext) : null,
  }));
  const transfers = items.flatMap(({ payout, journal }) =>
    transferRows(journal, payout.acceptedAt, { payoutId: payout.payoutId }),
  );
  const inserted = await transaction.prepared<PayoutKeyRow>('accept-payouts', INSERT_ACCEPTED, [
    JSON.stringify(rows),
    JSON.stringify(transfers),
  ]);
  return new Set(inserted.map((row) => keyText(keyFromRow(row))));
}

export async function readPayouts(queryable: Queryable, keys: readonly PayoutKey[]): Promise<Payout[]> {
  const rows = await queryable.prepared<PayoutRow>(
    'read-payouts',
    `select ${PAYOUT_COLUMNS} from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
     join payouts as p using (merchant_id, payout_id)`,
    [keys.map(({ merchantId }) => merchantId), keys.map(({ payoutId }) => payoutId)],
  );
  return rows.map(payoutFromRow);
}
