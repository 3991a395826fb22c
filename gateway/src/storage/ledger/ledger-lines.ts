/** Reads the journals of one object out of the ledger, by their ids. */
import type { AccountName, LedgerLine, TransferKind } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from '../core/database.ts';

interface LineRow {
  readonly journal_id: string;
  readonly kind: TransferKind;
  readonly currency: Currency;
  readonly debit_account: AccountName;
  readonly credit_account: AccountName;
  readonly amount: bigint;
  readonly note: string | null;
  readonly posted_at: Instant;
}

/** In the order of their time; the order of `journalIds` decides between equal times. */
export async function readLedgerLines(
  database: Database,
  merchantId: MerchantId,
  journalIds: readonly string[],
): Promise<LedgerLine[]> {
  const rows = await database.query<LineRow>(
    `select journal_id, kind, currency, debit_account, credit_account, amount, note, posted_at from ledger_transfers
     where merchant_id = $1 and journal_id = any($2::text[])
     order by posted_at, array_position($2::text[], journal_id), line`,
    [merchantId, journalIds],
  );
  return rows.map(({ journal_id, debit_account, credit_account, posted_at, ...line }) => ({
    ...line,
    ...{ journalId: journal_id, debit: debit_account, credit: credit_account, postedAt: posted_at },
  }));
}
