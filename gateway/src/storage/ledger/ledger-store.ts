/** Implements LedgerStore over PostgreSQL: balances, and postings that an operator makes one at a time. */
import type { LedgerStore, PostOutcome } from '../../domain/ledger/ledger-store.ts';
import type { Balances, Journal } from '../../domain/ledger/transfer.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { type BalanceRow, balanceHistory, balancesAt, byCurrency, trialBalance } from './balance-history.ts';
import { readJournal } from './ledger-lines.ts';
import {
  createAccounts,
  lockMerchants,
  openBalanceBook,
  POST_TRANSFERS,
  TRANSFER_COLUMNS,
  transferRows,
} from './ledger-posting.ts';

export function createLedgerStore(database: Database, clock: Clock): LedgerStore {
  return {
    async balances(merchantId, currency) {
      const book = await openBalanceBook(database, [{ merchantId, currency }]);
      return book.balances(merchantId, currency);
    },
    allBalances: (merchantId) => allBalances(database, merchantId),
    balancesAt: (merchantId, at) => balancesAt(database, merchantId, at),
    balanceHistory: (merchantId, points) => balanceHistory(database, merchantId, points),
    trialBalance: (at) => trialBalance(database, at),
    journal: (merchantId, journalId) => readJournal(database, merchantId, journalId),
    post: (merchantId, currency, note, plan) =>
      database.transaction(async (transaction): Promise<PostOutcome> => {
        await lockMerchants(transaction, [merchantId]);
        const book = await openBalanceBook(transaction, [{ merchantId, currency }]);
        const balances = book.balances(merchantId, currency);
        const journal = plan(balances);
        const posted = await findPosted(transaction, journal);
        if (posted.length > 0) return { kind: 'already_posted', same: isSame(journal, posted) };
        if (!book.add(journal)) return { kind: 'insufficient_funds', balances };
        await createAccounts(transaction, book);
        await transaction.prepared(
          'post-journal',
          `with posting as (select * from json_to_recordset($2) as t(${TRANSFER_COLUMNS})), ${POST_TRANSFERS} select 1`,
          [[merchantId], JSON.stringify(transferRows(journal, clock.now(), { note }))],
        );
        return { kind: 'posted', balances: book.balances(merchantId, currency) };
      }),
  };
}

interface PostedLine {
  kind: string;
  currency: string;
  amount: bigint;
}

async function findPosted(transaction: Queryable, { merchantId, journalId }: Journal): Promise<PostedLine[]> {
  return transaction.query<PostedLine>(
    'select kind, currency, amount from ledger_transfers where merchant_id = $1 and journal_id = $2 order by line limit 1',
    [merchantId, journalId],
  );
}

/** Compares the first line, which carries the full amount. The repaid part depends on the balance at that time. */
function isSame({ currency, transfers }: Journal, [posted]: readonly PostedLine[]): boolean {
  const [first] = transfers;
  return posted?.kind === first?.kind && posted?.currency === currency && posted?.amount === first?.amount;
}

async function allBalances(database: Database, merchantId: MerchantId): Promise<Map<Currency, Balances>> {
  return byCurrency(
    await database.query<BalanceRow>(
      'select currency, account, balance from ledger_accounts where merchant_id = $1 order by currency, account',
      [merchantId],
    ),
  );
}
