/** Reads the journals of one object out of the ledger, by their ids. */
import type { PostedJournal } from '../../domain/ledger/ledger-store.ts';
import type { AccountName, LedgerLine, TransferKind } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Database } from '../core/database.ts';

export interface LineRow {
  readonly journal_id: string;
  readonly kind: TransferKind;
  readonly currency: Currency;
  readonly debit_account: AccountName;
  readonly credit_account: AccountName;
  readonly amount: bigint;
  readonly note: string | null;
  readonly posted_at: Instant;
}

/** Reads the lines in the order of their time. The order of `journalIds` decides between equal times. */
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
  return rows.map(ledgerLineFromRow);
}

export function ledgerLineFromRow(row: LineRow): LedgerLine {
  const { journal_id, kind, currency, debit_account, credit_account, amount, note, posted_at } = row;
  return {
    journalId: journal_id,
    kind,
    currency,
    debit: debit_account,
    credit: credit_account,
    amount,
    note,
    postedAt: posted_at,
  };
}

/** Follows the source of transfers: `p` is the payout of each by the id of its journal, `i` its incoming transfer, `d` its deposit. */
export const PAYMENT_OF_TRANSFER = `as t
left join payouts as p on p.merchant_id = t.merchant_id
  and p.payout_id = substring(t.journal_id from '^payout/(.*)/[a-z-]+$')
left join incoming_transfers as i on i.merchant_id = t.merchant_id
  and i.rail = split_part(t.journal_id, '/', 2)
  and i.transfer_key = substring(t.journal_id from '^transfer/[^/]+/(.*)/[a-z-]+$')
left join deposits as d on d.merchant_id = t.merchant_id
  and d.transaction_id = case when t.journal_id like 'adjustment/%' then split_part(t.journal_id, '/', 2)::bigint
    else i.transaction_id end`;

export const PAYMENT_COLUMNS =
  'p.payout_id, coalesce(p.transaction_id, i.transaction_id, d.transaction_id) as transaction_id, d.order_id';

export interface PaymentOfTransfer {
  readonly payout_id: string | null;
  readonly transaction_id: bigint | null;
  readonly order_id: string | null;
}

export async function readJournal(
  database: Database,
  merchantId: MerchantId,
  journalId: string,
): Promise<PostedJournal | undefined> {
  const rows = await database.query<LineRow & PaymentOfTransfer>(
    `select t.journal_id, t.kind, t.currency, t.debit_account, t.credit_account, t.amount, t.note, t.posted_at, ${PAYMENT_COLUMNS}
     from ledger_transfers ${PAYMENT_OF_TRANSFER}
     where t.merchant_id = $1 and t.journal_id = $2 order by t.line`,
    [merchantId, journalId],
  );
  const [first] = rows;
  if (!first) return undefined;
  const { payout_id, order_id, transaction_id } = first;
  const transactionId = transaction_id === null ? null : Number(transaction_id);
  return { lines: rows.map(ledgerLineFromRow), payoutId: payout_id, orderId: order_id, transactionId };
}
