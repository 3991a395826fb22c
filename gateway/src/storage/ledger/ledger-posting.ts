/**
 * Posts journals within the caller's transaction. Balances change only under the locks of their merchants. The posting inserts
 * the transfers and updates each touched account once. It opens no transaction itself.
 */
import { type AccountName, type Balances, type Journal, netChanges } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { lockMerchantsOf } from '../core/advisory-locks.ts';
import { FOR_CLUSTER } from '../core/cluster-text.ts';
import type { Queryable } from '../core/database.ts';
import { columnList, timestamp } from '../core/parameters.ts';

/** The balances that one batch has read. Each journal that the batch adds updates them. */
export interface BalanceBook {
  balances(merchantId: MerchantId, currency: Currency): Balances;
  /** Adds the changes of a journal. Returns false, without a change, if an account would pass its floor or the largest balance. */
  add(journal: Journal): boolean;
  /** Accounts of added journals that do not exist in the database yet. */
  newAccounts(): AccountRow[];
}

interface AccountRow {
  readonly merchant_id: string;
  readonly currency: string;
  readonly account: AccountName;
}

interface MerchantMoney {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
}

/**
 * Locks the money of these merchants until the transaction ends. Every change of a balance acquires these locks first. So two
 * batches with common merchants cannot deadlock, and later reads see the last commit.
 */
export async function lockMerchants(transaction: Queryable, merchantIds: readonly MerchantId[]): Promise<void> {
  await transaction.prepared('lock-merchants', lockMerchantsOf('unnest($1::text[]) as merchant_id'), [merchantIds]);
}

/** The ledger's floors, which are also constraints of 0002_ledger.sql: these never fall below zero, `owed` never rises above. */
export const FLOORED: ReadonlySet<AccountName> = new Set(['available', 'reserved']);
/** The maximum of a bigint column. A larger sum would fail its entire batch at every run. */
export const LARGEST_BALANCE = 2n ** 63n - 1n;

export async function openBalanceBook(transaction: Queryable, wanted: readonly MerchantMoney[]): Promise<BalanceBook> {
  const rows = await transaction.prepared<AccountRow & { balance: bigint }>(
    'read-balances',
    `select merchant_id, currency, account, balance from ledger_accounts
     where merchant_id = any($1::text[]) and (merchant_id, currency) in (select * from unnest($1::text[], $2::text[]))`,
    [wanted.map(({ merchantId }) => merchantId), wanted.map(({ currency }) => currency)],
  );
  const books = new Map<string, Map<AccountName, bigint>>();
  const stored = new Set<string>();
  const bookOf = (merchantId: string, currency: string) => {
    const key = `${currency}/${merchantId}`;
    const book = books.get(key) ?? new Map<AccountName, bigint>();
    books.set(key, book);
    return book;
  };
  for (const { merchant_id, currency, account, balance } of rows) {
    bookOf(merchant_id, currency).set(account, balance);
    stored.add(`${account}/${currency}/${merchant_id}`);
  }
  const created = new Map<string, AccountRow>();
  return {
    balances: (merchantId, currency) => Object.fromEntries(bookOf(merchantId, currency)),
    newAccounts: () => [...created.values()],
    add({ merchantId, currency, transfers }) {
      const book = bookOf(merchantId, currency);
      const changes = netChanges(transfers);
      for (const [account, change] of changes) {
        const balance = (book.get(account) ?? 0n) + change;
        if (balance < (FLOORED.has(account) ? 0n : -LARGEST_BALANCE) || balance > LARGEST_BALANCE) return false;
      }
      for (const [account, change] of changes) {
        book.set(account, (book.get(account) ?? 0n) + change);
        const key = `${account}/${currency}/${merchantId}`;
        if (!stored.has(key)) created.set(key, { merchant_id: merchantId, currency, account });
      }
      return true;
    },
  };
}

/** Opens accounts at zero. A separate statement, because the first row of an account must not violate a floor. */
export async function createAccounts(transaction: Queryable, book: BalanceBook): Promise<void> {
  const accounts = book.newAccounts();
  if (accounts.length === 0) return;
  await transaction.query(
    `insert into ledger_accounts (merchant_id, currency, account, balance)
     select merchant_id, currency, account, 0 from json_to_recordset($1) as r(merchant_id text, currency text, account text)
     on conflict do nothing`,
    [JSON.stringify(accounts)],
  );
}

/** A line of a journal, in the form that the posting statements read. */
export type TransferRow = Readonly<Record<keyof typeof TRANSFER_TYPES, string | number | null>>;

/** `payoutId` ties the lines to the payout of the same statement. They are posted only with that payout. */
export function transferRows(
  journal: Journal,
  postedAt: Instant,
  tie: { readonly payoutId?: string; readonly note?: string },
): TransferRow[] {
  const posted_at = timestamp(postedAt);
  return journal.transfers.map((transfer, index) => ({
    merchant_id: journal.merchantId,
    payout_id: tie.payoutId ?? null,
    journal_id: journal.journalId,
    line: index + 1,
    kind: transfer.kind,
    currency: journal.currency,
    debit_account: transfer.debit,
    credit_account: transfer.credit,
    amount: transfer.amount.toString(),
    note: tie.note ?? null,
    posted_at,
  }));
}

/** The columns by which a statement reads `TransferRow`s from its parameters, with their types. */
export const TRANSFER_TYPES = {
  merchant_id: 'text',
  payout_id: 'text',
  journal_id: 'text',
  line: 'smallint',
  kind: 'text',
  currency: 'text',
  debit_account: 'text',
  credit_account: 'text',
  amount: 'bigint',
  note: 'text',
  posted_at: 'timestamptz',
};

/** The parameters of a statement that posts every line and has no notes. */
const { payout_id: _payoutId, note: _note, ...untied } = TRANSFER_TYPES;
export const UNTIED_TRANSFER_TYPES = untied;

/** The same as a list, for rows in one JSON parameter. */
export const TRANSFER_COLUMNS = columnList(TRANSFER_TYPES);

const sidesOf = (transfers: string) => `
      select merchant_id, currency, debit_account as account, -amount as amount from ${transfers}
      union all select merchant_id, currency, credit_account, amount from ${transfers}`;

/**
 * Reads a CTE named `transfers` with TRANSFER_COLUMNS and defines `wanted`: the change of each account if all were posted, and
 * the number of accounts per merchant and currency.
 */
export const WANTED_CHANGES = `
  wanted as (
    select merchant_id, currency, account, sum(amount) as amount,
      count(*) over (partition by merchant_id, currency) as accounts
    from (${sidesOf('transfers')}) as sides
    group by merchant_id, currency, account)`;

/**
 * Reads a CTE named `posting` with TRANSFER_COLUMNS, of the merchants $1, and defines `added_transfers`, which inserts them. A
 * cluster queries only the servers of the merchants in a parameter. No transfer is posted into an hour whose closing was
 * announced (close-hours.ts), whatever its process's clock says.
 */
export const ADD_TRANSFERS = `
  closings as (
    select merchant_id, closing_until from ledger_closings where merchant_id = any($1::text[]) ${FOR_CLUSTER}),
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select p.merchant_id, p.journal_id, p.line, p.kind, p.currency, p.debit_account, p.credit_account, p.amount, p.note,
      greatest(p.posted_at, c.closing_until)
    from posting as p
    left join closings as c on c.merchant_id = p.merchant_id)`;

/** The end of each posting statement. It follows `with …,`, reads the CTE `posting`, inserts the transfers and updates each account once. */
export const POST_TRANSFERS = `${ADD_TRANSFERS},
  moved_balances as (
    update ledger_accounts as a set balance = a.balance + change.amount
    from (
      select merchant_id, currency, account, sum(amount) as amount from (${sidesOf('posting')}) as sides
      group by merchant_id, currency, account) as change
    where a.merchant_id = any($1::text[]) ${FOR_CLUSTER} and a.merchant_id = change.merchant_id and a.currency = change.currency
      and a.account = change.account)`;
