/**
 * How journals reach the tables, inside somebody's transaction: balances change only while their merchants are locked,
 * transfers are added, and each touched account is updated once.
 */
import { type AccountName, type Balances, type Journal, netChanges } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { lockMerchantsOf } from '../core/advisory-locks.ts';
import { type Queryable, timestamp } from '../core/database.ts';

/** What one batch knows of balances, kept true while its journals are taken in. */
export interface BalanceBook {
  balances(merchantId: MerchantId, currency: Currency): Balances;
  /** Takes the journal's changes in, or leaves the book as it was and returns false: an account would pass its floor or what can be kept. */
  take(journal: Journal): boolean;
  /** Accounts that journals have touched and that the database does not have yet. */
  newAccounts(): AccountRow[];
}

interface AccountRow {
  readonly merchant_id: string;
  readonly currency: string;
  readonly account: AccountName;
}

export interface MerchantMoney {
  readonly merchantId: MerchantId;
  readonly currency: Currency;
}

/**
 * Holds the money of these merchants until the transaction ends. Everything that changes a balance comes through here,
 * so two batches that share merchants can't deadlock, and what is read afterwards is what the last one committed.
 */
export async function lockMerchants(transaction: Queryable, merchantIds: readonly MerchantId[]): Promise<void> {
  await transaction.prepared('lock-merchants', lockMerchantsOf('unnest($1::text[]) as merchant_id'), [
    [...new Set(merchantIds)],
  ]);
}

/** What the ledger allows, beside the database's own constraints: these may not fall below zero, `owed` not rise above. */
export const FLOORED: ReadonlySet<AccountName> = new Set(['available', 'reserved']);
/** Of a bigint column. A sum past it would fail its whole batch, neighbours included, each time it is tried. */
export const LARGEST_BALANCE = 2n ** 63n - 1n;

export async function openBalanceBook(transaction: Queryable, wanted: readonly MerchantMoney[]): Promise<BalanceBook> {
  const rows = await transaction.prepared<AccountRow & { balance: bigint }>(
    'read-balances',
    `select merchant_id, currency, account, balance from ledger_accounts
     where (merchant_id, currency) in (select * from unnest($1::text[], $2::text[]))`,
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
    take({ merchantId, currency, transfers }) {
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

/** Opens accounts at zero. Apart from the posting: an account's first row must not break a floor on its way in. */
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

/** One line of a journal, as the posting statements read it. */
export interface TransferRow {
  readonly merchant_id: string;
  readonly payout_id: string | null;
  readonly journal_id: string;
  readonly line: number;
  readonly kind: string;
  readonly currency: string;
  readonly debit_account: string;
  readonly credit_account: string;
  readonly amount: string;
  readonly note: string | null;
  readonly posted_at: string;
}

/** `payoutId` ties the lines to the payout of the same statement; they are posted only if that one is. */
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

/** How a statement reads `TransferRow`s from its json parameter. */
export const TRANSFER_COLUMNS = `merchant_id text, payout_id text, journal_id text, line smallint, kind text, currency text,
  debit_account text, credit_account text, amount bigint, note text, posted_at timestamptz`;

const sidesOf = (transfers: string) => `
      select merchant_id, currency, debit_account as account, -amount as amount from ${transfers}
      union all select merchant_id, currency, credit_account, amount from ${transfers}`;

/**
 * From a CTE named `transfers` with TRANSFER_COLUMNS it defines `wanted`: what they do to each account, were all of them
 * posted, and how many accounts of that merchant and currency they touch.
 */
export const WANTED_CHANGES = `
  wanted as (
    select merchant_id, currency, account, sum(amount) as amount,
      count(*) over (partition by merchant_id, currency) as accounts
    from (${sidesOf('transfers')}) as sides
    group by merchant_id, currency, account)`;

/**
 * The tail of every posting statement: from a CTE named `posting` with TRANSFER_COLUMNS it adds the transfers and
 * updates each account once. It comes after `with …,` and defines `added_transfers` and `moved_balances`.
 */
export const POST_TRANSFERS = `
  added_transfers as (
    insert into ledger_transfers
      (merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at)
    select merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at from posting),
  moved_balances as (
    update ledger_accounts as a set balance = a.balance + change.amount
    from (
      select merchant_id, currency, account, sum(amount) as amount from (${sidesOf('posting')}) as sides
      group by merchant_id, currency, account) as change
    where a.merchant_id = change.merchant_id and a.currency = change.currency and a.account = change.account)`;
