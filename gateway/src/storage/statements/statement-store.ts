/** Reads the postings of statements, with the payments that they belong to. */

import type { StatementOrder, StatementPosting } from '../../domain/statements/statement.ts';
import type { PostingPlace, StatementStore } from '../../domain/statements/statement-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { PAYMENT_COLUMNS, PAYMENT_OF_TRANSFER, type PaymentOfTransfer } from '../ledger/ledger-lines.ts';

export function createStatementStore(database: Database): StatementStore {
  return {
    async activeHours({ merchantId, currency, from, until }) {
      const rows = await database.query<{ at: number }>(ACTIVE_HOURS, [
        merchantId,
        currency,
        timestamp(from),
        timestamp(until),
      ]);
      return rows.map(({ at }) => at);
    },
    postings: (order, after, limit) => readPostings(database, order, after, limit),
  };
}

/** A fee that equals the full payment changes no account of the merchant, but still has lines. */
const ACTIVE_HOURS = `
select distinct s.at from ledger_snapshots as s
where s.merchant_id = $1 and s.currency = $2 and s.account in ('available', 'reserved', 'owed', 'fees')
  and s.at > $3 and s.at < $4::timestamptz + interval '1 hour'
order by s.at`;

const POSTINGS = `
with page as materialized (
  select merchant_id, journal_id, line, kind, debit_account, credit_account, amount, posted_at from ledger_transfers
  where merchant_id = $1 and currency = $2 and posted_at >= $3 and posted_at < $4
    and (posted_at, journal_id collate "C", line) > ($5, $6, $7)
  order by posted_at, journal_id collate "C", line limit $8)
select t.journal_id, t.line, t.kind, t.debit_account, t.credit_account, t.amount, t.posted_at,
  ${PAYMENT_COLUMNS}
from page ${PAYMENT_OF_TRANSFER}
order by t.posted_at, t.journal_id collate "C", t.line`;

interface PostingRow extends PaymentOfTransfer {
  readonly journal_id: string;
  readonly line: number;
  readonly kind: StatementPosting['kind'];
  readonly debit_account: StatementPosting['debit'];
  readonly credit_account: StatementPosting['credit'];
  readonly amount: bigint;
  readonly posted_at: number;
}

async function readPostings(
  database: Database,
  { merchantId, currency, from, until }: StatementOrder,
  after: PostingPlace | null,
  limit: number,
): Promise<StatementPosting[]> {
  const place = after ?? { postedAt: Number.NEGATIVE_INFINITY, journalId: '', line: 0 };
  const rows = await database.query<PostingRow>(POSTINGS, [
    merchantId,
    currency,
    timestamp(from),
    timestamp(until),
    timestamp(place.postedAt),
    place.journalId,
    place.line,
    limit,
  ]);
  return rows.map((row) => ({
    postedAt: row.posted_at,
    journalId: row.journal_id,
    line: row.line,
    kind: row.kind,
    debit: row.debit_account,
    credit: row.credit_account,
    amount: row.amount,
    payoutId: row.payout_id,
    orderId: row.order_id,
    transactionId: row.transaction_id === null ? null : Number(row.transaction_id),
  }));
}
