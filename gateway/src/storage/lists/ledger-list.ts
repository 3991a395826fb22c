/**
 * Reads one page of the ledger, newest first. The ledger has no index in the order of time, because each posting would pay
 * for it. A merchant with few transfers is read by its key. Otherwise the page reads windows of time backwards by their
 * blocks, each longer than the last, until it is full or has checked enough rows.
 */
import type { ListedLedgerLine, ListPage, ListQuery, Place } from '../../domain/lists/list-store.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { type Database, timestamp } from '../core/database.ts';
import { type LineRow, ledgerLineFromRow } from '../ledger/ledger-lines.ts';
import { MOST_CHECKED } from './keyset-list.ts';

const FIRST_WINDOW_MS = 15 * MINUTE_MS;
const GROWTH = 4;
/** A clock of another process may be ahead by less. */
const AHEAD_MS = DAY_MS;

const COLUMNS = 'merchant_id, journal_id, line, kind, currency, debit_account, credit_account, amount, note, posted_at';
const KEY = 'posted_at, journal_id collate "C", line, merchant_id collate "C"';
const NEWEST_FIRST = 'posted_at desc, journal_id collate "C" desc, line desc, merchant_id collate "C" desc';

/** The condition of each filter, for the name of its parameter. */
const FILTERS: Readonly<Record<string, (value: string) => string>> = {
  currency: (value) => `currency = ${value}`,
  minAmount: (value) => `amount >= ${value}`,
  maxAmount: (value) => `amount <= ${value}`,
  kind: (value) => `kind = ${value}`,
  account: (value) => `${value} in (debit_account, credit_account)`,
  journal: (value) => `journal_id = ${value}`,
};

interface CheckedRow extends LineRow {
  /** The rows that the statement checked; of each result, even without a line. */
  readonly checked: number;
  readonly merchant_id: string;
  readonly line: number;
}

interface Checked {
  readonly count: number;
  readonly lines: readonly CheckedRow[];
}

export async function readLedgerPage(database: Database, query: ListQuery): Promise<ListPage<ListedLedgerLine>> {
  const { merchantId, filters } = query;
  if (merchantId !== null) {
    const journal = filters['journal'];
    const ofJournal = journal === undefined ? '' : 'and journal_id = $2';
    const own = `where merchant_id = $1 ${ofJournal} limit ${MOST_CHECKED + 1}`;
    const found = await check(database, query, own, [merchantId, ...(journal === undefined ? [] : [journal])]);
    if (found.count <= MOST_CHECKED) return pageOf(query, found.lines, null);
  }
  return readWindows(database, query);
}

async function readWindows(database: Database, query: ListQuery): Promise<ListPage<ListedLedgerLine>> {
  const lines: CheckedRow[] = [];
  let until = await firstEnd(database, query);
  let checked = 0;
  for (let windowMs = FIRST_WINDOW_MS; ; windowMs *= GROWTH) {
    const since = Math.max(until - windowMs, query.from ?? Number.NEGATIVE_INFINITY);
    const window = 'where posted_at >= $1 and posted_at < $2';
    const found = await check(database, query, window, [timestamp(since), timestamp(until)]);
    lines.push(...found.lines);
    checked += found.count;
    until = since;
    const isOver = until === query.from || !(await hasOlder(database, until));
    if (isOver || lines.length > query.limit || checked >= MOST_CHECKED)
      return pageOf(query, lines, isOver ? null : { at: until, key: ['', 0, ''] });
  }
}

/** Just above the place of the last page, which excludes what that page had. */
async function firstEnd(database: Database, { after, to }: ListQuery): Promise<Instant> {
  if (after !== null) return after.at + 1;
  if (to !== null) return to;
  const [row] = await database.query<{ now: Instant }>('select now()');
  return (row?.now ?? 0) + AHEAD_MS;
}

async function hasOlder(database: Database, at: Instant): Promise<boolean> {
  const text = 'select journal_id from ledger_transfers where posted_at < $1 limit 1';
  return (await database.query(text, [timestamp(at)])).length > 0;
}

/** Of the rows that `source` selects: their number, and the first that the query wants. */
async function check(database: Database, query: ListQuery, source: string, of: readonly unknown[]): Promise<Checked> {
  const values = [...of];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = conditionsOf(query, parameter);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const rows = await database.query<CheckedRow>(
    `with source as materialized (select ${COLUMNS} from ledger_transfers ${source})
     select c.checked, t.* from (select count(*)::integer as checked from source) as c
     left join (
       select * from source ${where} order by ${NEWEST_FIRST} limit ${parameter(query.limit + 1)}) as t on true`,
    values,
  );
  return { count: rows[0]?.checked ?? 0, lines: rows.filter(({ journal_id }) => journal_id !== null) };
}

function conditionsOf(
  { merchantId, from, to, after, filters }: ListQuery,
  parameter: (value: unknown) => string,
): string[] {
  return [
    ...(merchantId === null ? [] : [`merchant_id = ${parameter(merchantId)}`]),
    ...(from === null ? [] : [`posted_at >= ${parameter(timestamp(from))}`]),
    ...(to === null ? [] : [`posted_at < ${parameter(timestamp(to))}`]),
    ...(after === null
      ? []
      : [`(${KEY}) < (${[timestamp(after.at), ...after.key].map((part) => parameter(part)).join(', ')})`]),
    ...Object.entries(filters).map(([name, value]) => {
      const condition = FILTERS[name];
      if (!condition) throw new Error(`the ledger has no filter "${name}"`);
      return condition(parameter(value));
    }),
  ];
}

/** `rest`: where the next page begins when this one is not full. */
function pageOf({ limit }: ListQuery, lines: readonly CheckedRow[], rest: Place | null): ListPage<ListedLedgerLine> {
  const shown = lines.slice(0, limit);
  const last = shown.at(-1);
  const next =
    last && lines.length > limit ? { at: last.posted_at, key: [last.journal_id, last.line, last.merchant_id] } : rest;
  return {
    items: shown.map((row) => ({ ...ledgerLineFromRow(row), merchantId: row.merchant_id, line: row.line })),
    next,
  };
}
