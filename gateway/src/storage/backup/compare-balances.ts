/**
 * Compares a restored ledger with the serving one. Older transfers are compared by their sums for each account. The
 * newest ones are compared one by one, because the serving database may have committed more of them.
 */
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface ComparedBalances {
  readonly accounts: number;
  /** The first differences, each as a sentence. */
  readonly differing: readonly string[];
}

/** A transfer gets its time before its transaction commits. No transaction takes this long. */
const COMMITS_WITHIN_MS = 5 * MINUTE_MS;
const SHOWN = 10;
const PIECE = 1_000;

const SUMS = `
select merchant_id, currency, account, sum(amount)::text as sum from (
  select merchant_id, currency, debit_account as account, -amount as amount from ledger_transfers where posted_at < $1
  union all
  select merchant_id, currency, credit_account, amount from ledger_transfers where posted_at < $1) as sides
group by merchant_id, currency, account order by merchant_id, currency, account`;

const RECENT = `
select merchant_id, journal_id, line::int as line,
  concat_ws('/', currency, debit_account, credit_account, amount) as content
from ledger_transfers
where posted_at >= $1 and (merchant_id, journal_id, line) > ($2, $3, $4)
order by merchant_id, journal_id, line limit ${PIECE}`;

const SAME = `
select merchant_id, journal_id, line::int as line,
  concat_ws('/', currency, debit_account, credit_account, amount) as content
from ledger_transfers
where (merchant_id, journal_id, line) in (select * from unnest($1::text[], $2::text[], $3::int[]))`;

interface SumRow {
  readonly merchant_id: string;
  readonly currency: string;
  readonly account: string;
  readonly sum: string;
}

interface TransferRow {
  readonly merchant_id: string;
  readonly journal_id: string;
  readonly line: number;
  readonly content: string;
}

/** `recoveredUntil`: the time of the newest restored transaction. */
export async function compareBalances(
  serving: Database,
  restored: Database,
  recoveredUntil: Instant,
): Promise<ComparedBalances> {
  const cutoff = timestamp(recoveredUntil - COMMITS_WITHIN_MS);
  const ours = await readSums(serving, cutoff);
  const theirs = await readSums(restored, cutoff);
  const accounts = new Set([...ours.keys(), ...theirs.keys()]);
  const differing = [...accounts]
    .filter((account) => ours.get(account) !== theirs.get(account))
    .map((account) => `${account}: ${theirs.get(account) ?? 'absent'}, serving ${ours.get(account) ?? 'absent'}`);
  const recent = await compareRecent(serving, restored, cutoff);
  for (const account of recent.accounts) accounts.add(account);
  return { accounts: accounts.size, differing: [...differing, ...recent.differing].slice(0, SHOWN) };
}

async function readSums(database: Database, before: string): Promise<Map<string, string>> {
  const rows = await database.snapshot((snapshot) => snapshot.query<SumRow>(SUMS, [before]));
  return new Map(rows.map(({ merchant_id, currency, account, sum }) => [`${merchant_id} ${currency} ${account}`, sum]));
}

/** The serving database must also contain each restored transfer, with the same content. */
async function compareRecent(serving: Database, restored: Database, since: string) {
  const differing: string[] = [];
  const accounts = new Set<string>();
  let after: readonly [string, string, number] = ['', '', 0];
  for (;;) {
    const piece = await restored.query<TransferRow>(RECENT, [since, ...after]);
    const last = piece.at(-1);
    if (!last) return { differing, accounts };
    after = [last.merchant_id, last.journal_id, last.line];
    const same = await serving.query<TransferRow>(SAME, [
      piece.map((row) => row.merchant_id),
      piece.map((row) => row.journal_id),
      piece.map((row) => row.line),
    ]);
    const known = new Set(same.map(keyOf));
    for (const row of piece) {
      for (const account of accountsOf(row)) accounts.add(account);
      if (!known.has(keyOf(row)))
        differing.push(`${row.merchant_id} ${row.journal_id} line ${row.line}: different in the serving database`);
    }
  }
}

function keyOf({ merchant_id, journal_id, line, content }: TransferRow): string {
  return JSON.stringify([merchant_id, journal_id, line, content]);
}

function accountsOf({ merchant_id, content }: TransferRow): string[] {
  const [currency, debit, credit] = content.split('/');
  return [`${merchant_id} ${currency} ${debit}`, `${merchant_id} ${currency} ${credit}`];
}
