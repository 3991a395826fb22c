/**
 * Compares a restored ledger with the serving one at a point: a snapshot of the serving database from before the end of the
 * restored log. The restored ledger must contain every transfer of the snapshot, and may contain later ones. Older transfers
 * are compared by their sums for each account, and the newest ones one by one.
 */
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

/** What the serving database had committed at the point. */
export interface LedgerPoint {
  /** Transfers with this time or a later one are in `recent`. The sums contain the earlier ones. */
  readonly cutoff: string;
  readonly sums: ReadonlyMap<string, string>;
  /** The newest transfers, as `keyOf` writes them. */
  readonly recent: ReadonlySet<string>;
}

interface ComparedBalances {
  readonly accounts: number;
  /** The first differences, each as a sentence. */
  readonly differing: readonly string[];
}

/**
 * A transfer gets its time before its transaction commits, so a later transfer of the restored ledger may have an earlier time
 * than the snapshot. No transaction takes this long. If one did, the comparison would report its transfers as differences.
 */
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
  concat_ws('/', currency, debit_account, credit_account, amount) as content, posted_at::text as posted_at
from ledger_transfers
where (posted_at, merchant_id, journal_id, line) > ($1, $2, $3, $4)
order by posted_at, merchant_id, journal_id, line limit ${PIECE}`;

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

type RecentRow = TransferRow & { readonly posted_at: string };

/** Reads everything in one snapshot, whose transfers are all committed before the call ends. */
export function readLedgerPoint(serving: Database, now: Instant): Promise<LedgerPoint> {
  const cutoff = timestamp(now - COMMITS_WITHIN_MS);
  return serving.snapshot(async (snapshot) => {
    const recent = new Set<string>();
    const sums = await readSums(snapshot, cutoff);
    for await (const piece of recentPieces(snapshot, cutoff)) for (const row of piece) recent.add(keyOf(row));
    return { cutoff, sums, recent };
  });
}

/** The restored database has replayed the log beyond the point. */
export async function compareBalances(
  point: LedgerPoint,
  serving: Database,
  restored: Database,
): Promise<ComparedBalances> {
  const { sums: ours, cutoff } = point;
  const theirs = await restored.snapshot((snapshot) => readSums(snapshot, cutoff));
  const accounts = new Set([...ours.keys(), ...theirs.keys()]);
  const differing = [...accounts]
    .filter((account) => ours.get(account) !== theirs.get(account))
    .map((account) => `${account}: ${theirs.get(account) ?? 'absent'}, serving ${ours.get(account) ?? 'absent'}`);
  const recent = await compareRecent(point, serving, restored);
  for (const account of recent.accounts) accounts.add(account);
  return { accounts: accounts.size, differing: [...recent.differing, ...differing].slice(0, SHOWN) };
}

async function readSums(snapshot: Queryable, before: string): Promise<Map<string, string>> {
  const rows = await snapshot.query<SumRow>(SUMS, [before]);
  return new Map(rows.map(({ merchant_id, currency, account, sum }) => [`${merchant_id} ${currency} ${account}`, sum]));
}

async function* recentPieces(database: Queryable, since: string): AsyncGenerator<readonly TransferRow[]> {
  let after: readonly [string, string, string, number] = [since, '', '', 0];
  for (;;) {
    const piece = await database.query<RecentRow>(RECENT, after);
    const last = piece.at(-1);
    if (!last) return;
    yield piece;
    after = [last.posted_at, last.merchant_id, last.journal_id, last.line];
  }
}

/**
 * The restored ledger must contain each transfer of the point. Any other one was committed later: the serving database must
 * also contain it by now, with the same content.
 */
async function compareRecent({ recent, cutoff }: LedgerPoint, serving: Database, restored: Database) {
  const missing = new Set(recent);
  const accounts = new Set<string>();
  const differing: string[] = [];
  for await (const piece of recentPieces(restored, cutoff)) {
    for (const row of piece) for (const account of accountsOf(row)) accounts.add(account);
    const later = piece.filter((row) => !missing.delete(keyOf(row)));
    const known = await readKnown(serving, later);
    for (const row of later)
      if (!known.has(keyOf(row))) differing.push(`${nameOf(row)}: different in the serving database`);
  }
  const lost = [...missing].map((key) => `${nameOf(rowOf(key))}: committed before the proof, and not restored`);
  return { accounts, differing: [...lost, ...differing] };
}

async function readKnown(serving: Database, rows: readonly TransferRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const same = await serving.query<TransferRow>(SAME, [
    rows.map((row) => row.merchant_id),
    rows.map((row) => row.journal_id),
    rows.map((row) => row.line),
  ]);
  return new Set(same.map(keyOf));
}

function nameOf({ merchant_id, journal_id, line }: TransferRow): string {
  return `${merchant_id} ${journal_id} line ${line}`;
}

function keyOf({ merchant_id, journal_id, line, content }: TransferRow): string {
  return JSON.stringify([merchant_id, journal_id, line, content]);
}

function rowOf(key: string): TransferRow {
  const [merchant_id, journal_id, line, content] = JSON.parse(key) as [string, string, number, string];
  return { merchant_id, journal_id, line, content };
}

function accountsOf({ merchant_id, content }: TransferRow): string[] {
  const [currency, debit, credit] = content.split('/');
  return [`${merchant_id} ${currency} ${debit}`, `${merchant_id} ${currency} ${credit}`];
}
