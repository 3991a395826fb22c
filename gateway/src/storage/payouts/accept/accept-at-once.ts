/**
 * The normal acceptance: a single statement for payouts that are all new and affordable, that no user created and no user must
 * approve. It reads nothing first. If one payout is different, it writes nothing, and the caller decides on each payout
 * (accept-carefully.ts). On a cluster, accept-on-cluster.ts writes the same rows.
 */
import { type Journal, netChanges } from '../../../domain/ledger/transfer.ts';
import type { NewPayout } from '../../../domain/payouts/payout-store.ts';
import { stageAfter } from '../../../domain/payouts/payout-transitions.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { lockMerchantsOf } from '../../core/advisory-locks.ts';
import type { Database } from '../../core/database.ts';
import { isTransient } from '../../core/database-errors.ts';
import {
  arrayElement,
  arraysOf,
  byteaElement,
  ESTIMATED_AS_ONE_ROW,
  timestamp,
  unnestFrom,
} from '../../core/parameters.ts';
import { ADD_TRANSFERS, UNTIED_TRANSFER_TYPES } from '../../ledger/ledger-posting.ts';

/** The rows of one batch, as elements of arrays. */
export interface AcceptedRows {
  readonly merchants: readonly MerchantId[];
  readonly payouts: readonly (readonly string[])[];
  readonly transfers: readonly (readonly string[])[];
  /** Contains one entry for each account that changes. */
  readonly changes: readonly (readonly string[])[];
}

export const PAYOUT = {
  merchant_id: 'text',
  payout_id: 'text',
  transaction_id: 'bigint',
  method: 'smallint',
  currency: 'text',
  amount: 'bigint',
  amount_text: 'text',
  fee: 'bigint',
  rail: 'text',
  account_shown: 'text',
  fields: 'jsonb',
  vault_token: 'text',
  content_hash: 'bytea',
  seal: 'bytea',
  accepted_at: 'timestamptz',
  master_key_id: 'text',
  wrapped_key: 'bytea',
  ciphertext: 'bytea',
  why: 'text',
};

/** Every payout of the batch is inserted, so no transfer is tied to one, and none has a note. */
const TRANSFER = UNTIED_TRANSFER_TYPES;
export const CHANGE = { merchant_id: 'text', currency: 'text', account: 'text', amount: 'bigint' };

export const INSERT_PAYOUTS = `
insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, state, accepted_at, accepted_why)
select merchant_id, payout_id, transaction_id, 'payout', method, currency, amount, amount_text, fee, rail,
  account_shown, fields, vault_token, content_hash, seal, 'pending', accepted_at, why from`;

export const INSERT_SEALED = `
insert into vault_records (merchant_id, token, master_key_id, wrapped_key, ciphertext, created_at)
select merchant_id, vault_token, master_key_id, wrapped_key, ciphertext, accepted_at from`;

const QUEUED = stageAfter('new', 'accepted');

export const INSERT_JOBS = `
insert into payout_jobs (merchant_id, payout_id, rail, purpose, method, stage, stage_since, due_at)
select merchant_id, payout_id, rail, 'payout', method, '${QUEUED}', accepted_at, accepted_at from`;

/** The elements of a payout's row in each array. Each request writes its own, which shortens the batch's work. */
export interface PayoutElements {
  readonly payout: readonly string[];
  readonly transfers: readonly (readonly string[])[];
}

const [PAYOUTS, TRANSFERS, CHANGES] = [PAYOUT, TRANSFER, CHANGE].map((columns) => Object.keys(columns).length) as [
  number,
  number,
  number,
];

const FIRST_TRANSFER = 1 + PAYOUTS;
const FIRST_CHANGE = FIRST_TRANSFER + TRANSFERS;
const EXPECTED = FIRST_CHANGE + CHANGES;

/** Is 1, or divides by zero on purpose, which rolls the statement back. */
const ROLLS_BACK_UNLESS_ALL_MOVED = `1 / ((select count(*) from moved) = $${EXPECTED}::bigint)::integer`;

/**
 * The statement locks the merchants, updates the balances, then inserts the rows. An unaffordable payout violates a constraint
 * of its balance, and a repeated payout the primary key. Either fails the entire statement. If an account is missing, or its
 * merchant is in debt, fewer balances change than expected, and `whole` rolls the statement back.
 */
export const ACCEPT_AT_ONCE = `
with locked as materialized (
  ${lockMerchantsOf(`unnest($${FIRST_CHANGE}::text[]) as merchant_id`)}),
moved as (
  update ledger_accounts as a set balance = a.balance + change.amount
  from (select * from ${unnestFrom(FIRST_CHANGE, CHANGE)} where ${ESTIMATED_AS_ONE_ROW}) as change
  where (select count(*) from locked) > 0
    and a.merchant_id = change.merchant_id and a.currency = change.currency and a.account = change.account
    and not exists (
      select from ledger_accounts as o
      where o.merchant_id = a.merchant_id and o.currency = a.currency and o.account = 'owed' and o.balance < 0)
  returning 1),
whole as materialized (select ${ROLLS_BACK_UNLESS_ALL_MOVED} as is_whole),
fresh as materialized (
  select r.* from ${unnestFrom(1, PAYOUT)} where (select is_whole from whole) = 1),
inserted as (
  ${INSERT_PAYOUTS} fresh),
vaulted as (
  ${INSERT_SEALED} fresh where vault_token is not null),
queued as (
  ${INSERT_JOBS} fresh),
posting as materialized (
  select r.*, null::text as note from ${unnestFrom(FIRST_TRANSFER, TRANSFER)} where (select is_whole from whole) = 1),
${ADD_TRANSFERS}
select is_whole from whole`;

/** Returns undefined for a payout that is not of the normal kind. */
export function payoutElements(accepted: NewPayout): PayoutElements | undefined {
  const { payout, vaultRecord, seal, journal, why } = accepted;
  if (accepted.approval || accepted.maker || payout.purpose !== 'payout') return undefined;
  const sealed = vaultRecord?.sealed;
  const { accountShown, fields, vaultToken } = payout.beneficiary;
  const merchantId = arrayElement(payout.merchantId);
  const currency = arrayElement(payout.money.currency);
  const at = arrayElement(timestamp(payout.acceptedAt));
  const elements: Readonly<Record<keyof typeof PAYOUT, string>> = {
    merchant_id: merchantId,
    payout_id: arrayElement(payout.payoutId),
    transaction_id: arrayElement(payout.transactionId),
    method: arrayElement(payout.method),
    currency,
    amount: arrayElement(payout.money.minor),
    amount_text: arrayElement(payout.amountText),
    fee: arrayElement(payout.fee),
    rail: arrayElement(payout.rail),
    account_shown: arrayElement(accountShown),
    fields: arrayElement(JSON.stringify(fields)),
    vault_token: arrayElement(vaultToken),
    content_hash: byteaElement(payout.contentHash),
    seal: byteaElement(seal),
    accepted_at: at,
    master_key_id: arrayElement(sealed?.masterKeyId),
    wrapped_key: byteaElement(sealed?.wrappedKey),
    ciphertext: byteaElement(sealed?.ciphertext),
    why: arrayElement(JSON.stringify(why)),
  };
  const journalId = arrayElement(journal.journalId);
  const transfers = journal.transfers.map(({ kind, debit, credit, amount }, index) => [
    merchantId,
    journalId,
    String(index + 1),
    `"${kind}"`,
    currency,
    arrayElement(debit),
    arrayElement(credit),
    amount.toString(),
    at,
  ]);
  return { payout: Object.values(elements), transfers };
}

/** Batches that are not tried after one that failed; each additional failure in a row doubles the number. */
const FIRST_DISTRUST = 8;
const LONGEST_DISTRUST = 64;

/** An item in the form that acceptance passes on. */
interface AtOnce {
  readonly journal: Journal;
  /** Undefined if only the careful path accepts the item. */
  readonly elements: PayoutElements | undefined;
}

/**
 * Returns a function that accepts the entire batch, or accepts nothing and resolves to false. After a failure it skips the
 * next batches, so one merchant that keeps exceeding its balance cannot slow down the others.
 */
export function createAcceptAtOnce(
  write: (rows: AcceptedRows) => Promise<void>,
): (items: readonly AtOnce[]) => Promise<boolean> {
  let untried = 0;
  let distrust = FIRST_DISTRUST;
  return async (items) => {
    if (untried > 0) {
      untried -= 1;
      return false;
    }
    const elements = items.flatMap((item) => item.elements ?? []);
    if (elements.length < items.length) return false;
    try {
      await write(rowsOf(elements, items));
      distrust = FIRST_DISTRUST;
      return true;
    } catch (error) {
      if (isTransient(error)) throw error;
      untried = distrust;
      distrust = Math.min(distrust * 2, LONGEST_DISTRUST);
      return false;
    }
  };
}

function rowsOf(elements: readonly PayoutElements[], items: readonly AtOnce[]): AcceptedRows {
  return {
    merchants: [...new Set(items.map(({ journal }) => journal.merchantId))],
    payouts: elements.map(({ payout }) => payout),
    transfers: elements.flatMap(({ transfers }) => transfers),
    changes: changesOf(items.map(({ journal }) => journal)),
  };
}

/** Rejects, without an effect, when a payout is repeated or not affordable, or an account is missing. */
export async function acceptOnOneServer(
  database: Database,
  { payouts, transfers, changes }: AcceptedRows,
): Promise<void> {
  await database.prepared('accept-at-once', ACCEPT_AT_ONCE, [
    ...arraysOf(payouts, PAYOUTS),
    ...arraysOf(transfers, TRANSFERS),
    ...arraysOf(changes, CHANGES),
    changes.length,
  ]);
}

/** Returns one row for each account that the journals change. */
function changesOf(journals: readonly Journal[]): string[][] {
  const sums = new Map<string, { readonly key: readonly string[]; sum: bigint }>();
  for (const { merchantId, currency, transfers } of journals) {
    for (const [account, amount] of netChanges(transfers)) {
      const key = [merchantId, currency, account];
      const text = key.join('/');
      const known = sums.get(text);
      if (known) known.sum += amount;
      else sums.set(text, { key, sum: amount });
    }
  }
  return [...sums.values()].map(({ key, sum }) => [...key.map(arrayElement), sum.toString()]);
}
