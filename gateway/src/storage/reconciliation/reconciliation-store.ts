/** Implements ReconciliationStore over PostgreSQL, for daily work rather than hot paths. It compares nothing itself. */

import { BY_ITSELF } from '../../domain/audit/act-words.ts';
import { COMPARED_KINDS, MOST_OPEN_OF_ANY_SUBJECT } from '../../domain/differences/difference.ts';
import type { AdjustedBy } from '../../domain/payouts/payout-store.ts';
import {
  type AskablePayout,
  type ComparedDay,
  type KnownPayout,
  type ListDifference,
  MOST_NOTIFIED_REFERENCES,
  type PaidPayout,
  type Reconciliation,
  type ReconciliationStore,
  type UnmatchedPayout,
} from '../../domain/reconciliation/reconciliation-store.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import {
  ADJUSTED_BY,
  keyFromRow,
  keyText,
  PAYOUT_COLUMNS,
  type PayoutKeyRow,
  type PayoutRow,
  payoutFromRow,
} from '../payouts/payout-rows.ts';

/** The number of references that one query reads. */
const CHUNK = 1_000;

const BY_REFERENCE =
  'select reference, merchant_id, payout_id from rail_references where rail = $1 and reference = any($2::text[])';

const KNOWN = `
select ${PAYOUT_COLUMNS}, ${ADJUSTED_BY}
from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id)
join payouts as p using (merchant_id, payout_id)`;

const BY_KEYS = `
select ${PAYOUT_COLUMNS} from unnest($1::text[], $2::text[]) as k(merchant_id, payout_id) join payouts as p using (merchant_id, payout_id)`;

const COUNT_WAITING = `select count(*)::int as count from payout_jobs where rail = $1 and stage <> 'awaiting_approval'`;

/** Uses the index that leads with merchant and currency, with one lookup per balance. */
const BY_TRANSACTION_IDS = `
with held as materialized (select distinct merchant_id, currency from ledger_accounts where account = 'available')
select ${PAYOUT_COLUMNS} from held join payouts as p using (merchant_id, currency) where p.transaction_id = any($1::bigint[])`;

/** Materializes the postings before any join. Without statistics the planner would start from the other side. */
const PAID_BETWEEN = `
with posted as materialized (
  select merchant_id, substring(journal_id from '^payout/(.*)/[a-z-]+$') as payout_id, posted_at from ledger_transfers
  where posted_at >= $2 and posted_at < $3 and credit_account = 'clearing:' || $1 and kind in ('payout', 'late_execution'))
select a.reference, min(a.started_at) as "sentAt", max(t.posted_at) as at
from posted as t
join payout_attempts as a on a.merchant_id = t.merchant_id and a.payout_id = t.payout_id and a.rail = $1
group by a.merchant_id, a.reference`;

/**
 * Likewise. Exactly one of these journals ends a payout. Grouped before the join: Citus rejects a grouped query whose columns
 * are subqueries over the group's rows.
 */
const ENDED_BETWEEN = `
with posted as materialized (
  select merchant_id, substring(journal_id from '^payout/(.*)/[a-z-]+$') as payout_id from ledger_transfers
  where posted_at >= $2 and posted_at < $3 and kind in ('payout', 'release')),
sent as (
  select a.merchant_id, a.payout_id, a.reference, max(a.send_until) as send_until
  from posted as t
  join payout_attempts as a on a.merchant_id = t.merchant_id and a.payout_id = t.payout_id and a.rail = $1
  group by a.merchant_id, a.payout_id, a.reference)
select ${PAYOUT_COLUMNS}, ${ADJUSTED_BY}, a.reference, a.send_until
from sent as a join payouts as p on p.merchant_id = a.merchant_id and p.payout_id = a.payout_id
order by p.finished_at`;

/**
 * The ledger of a day is read in parts, each in a short statement: a long one would keep vacuum from the queues. No transfer
 * is posted into a past day, so the parts do not need a common snapshot. The duration of the last part decides the length of
 * the next, because each statement also scans the latest postings.
 */
const PART_MS = { least: MINUTE_MS, first: 5 * MINUTE_MS, most: 2 * HOUR_MS } as const;
const ENOUGH_ROWS = 1_000;
/** Hours without postings need no part. */
const NEXT_POSTING = 'select min(posted_at) as at from ledger_transfers where posted_at >= $1 and posted_at < $2';

const KEEP_RUN = `
insert into reconciliations (rail, day, run_at, listed, matched, settled) values ($1, $2, $3, $4, $5, $6)
on conflict (rail, day) do update set run_at = excluded.run_at, listed = excluded.listed, matched = excluded.matched,
  settled = reconciliations.settled + excluded.settled`;

const KEEP_FOUND = `
insert into differences (rail, day, kind, subject, merchant_id, payout_id, ours, theirs, found_at)
select $1, $2, kind, subject, merchant_id, payout_id, ours, theirs, $3
from json_to_recordset($4) as r(kind text, subject text, merchant_id text, payout_id text, ours text, theirs text)
on conflict (rail, day, kind, subject) do update
  set ours = excluded.ours, theirs = excluded.theirs, source = null, resolved_at = null, resolved_by = null, resolution = null
  where differences.resolved_by is null or differences.resolved_by = '${BY_ITSELF}'`;

const LIST_DAYS = `
select r.rail, r.day, r.run_at as "runAt", r.listed, r.matched, r.settled, d.open, d.found
from reconciliations as r
cross join lateral (
  select count(*)::int as found, (count(*) filter (where resolved_at is null))::int as open from differences as d
  where d.rail = r.rail and d.day = r.day and d.kind in (${COMPARED_KINDS.map((kind) => `'${kind}'`).join(', ')})) as d
where ($1::text is null or r.rail = $1) and r.day between $2 and $3
order by r.rail, r.day`;

/** The worker queries a later payout with one of these references before it sends the payout. */
const KEEP_UNACCOUNTED = `
insert into unaccounted_payouts (rail, reference, day, found_at, source)
select $1, reference, $2, $3, $5 from unnest($4::text[]) as r(reference)
on conflict (rail, reference) do nothing`;

/**
 * A known difference of any day stays unchanged, because a user may have resolved it. Concurrent reports may exceed the limit.
 */
const RECORD_UNMATCHED = `
insert into differences (rail, day, kind, subject, merchant_id, payout_id, ours, theirs, found_at, source)
select $1::text, $2, 'missing_here', $3::text, $4, $5, $6, $7, $8::timestamptz, $9::text
where not exists (select from differences where rail = $1 and kind = 'missing_here' and subject = $3)
and ($9 <> 'notified' or $10 > (
  select count(*) from (
    select from differences where rail = $1 and kind = 'missing_here' and source = 'notified' and resolved_at is null
    limit $10) as open))
on conflict (rail, day, kind, subject) do nothing`;

const IN_DIRECTORY = 'select 1 from unaccounted_payouts where rail = $1 and reference = $2';

const COUNT_NOTIFIED = `
select count(*)::int as count from (
  select 1 from unaccounted_payouts where rail = $1 and source = 'notified' limit $2) as notified`;

const GONE = 'a later comparison no longer found it';

/** A difference that no list showed stays open, because its absence from a list proves nothing. */
const RESOLVE_GONE = `
update differences as d set resolved_at = $3, resolved_by = '${BY_ITSELF}', resolution = '${GONE}'
where rail = $1 and day = $2 and kind in (${COMPARED_KINDS.map((kind) => `'${kind}'`).join(', ')}) and resolved_at is null
  and subject <> all($5::text[]) and source is null and not exists (
  select from json_to_recordset($4) as r(kind text, subject text) where r.kind = d.kind and r.subject = d.subject)`;

interface KnownRow extends PayoutRow {
  adjusted_by: AdjustedBy;
}

interface EndedRow extends KnownRow {
  reference: string;
  send_until: number;
}

export function createReconciliationStore(database: Database): ReconciliationStore {
  return {
    async findKnown(rail, references) {
      const known: KnownPayout[] = [];
      for (let first = 0; first < references.length; first += CHUNK)
        known.push(...(await findSome(database, rail, references.slice(first, first + CHUNK))));
      return known;
    },
    async findPayouts(keys) {
      if (keys.length === 0) return [];
      const rows = await database.query<PayoutRow>(BY_KEYS, [
        keys.map(({ merchantId }) => merchantId),
        keys.map(({ payoutId }) => payoutId),
      ]);
      return rows.map(payoutFromRow);
    },
    async findByTransactionIds(ids) {
      if (ids.length === 0) return [];
      return (await database.query<PayoutRow>(BY_TRANSACTION_IDS, [ids])).map(payoutFromRow);
    },
    async countWaiting(rail) {
      const [row] = await database.query<{ count: number }>(COUNT_WAITING, [rail]);
      return row?.count ?? 0;
    },
    async paidBetween(rail, from, to) {
      const paid: PaidPayout[] = [];
      for await (const part of inParts<PaidPayout>(database, PAID_BETWEEN, rail, from, to)) paid.push(...part);
      return paid;
    },
    async *endedBetween(rail, from, to) {
      for await (const part of inParts<EndedRow>(database, ENDED_BETWEEN, rail, from, to))
        yield* part.map(askableFromRow);
    },
    listDays: ({ rail, from, until }) => database.query<ComparedDay>(LIST_DAYS, [rail, from, until]),
    keep: (reconciliation, differences, unanswered) =>
      database.transaction((transaction) => keep(transaction, reconciliation, differences, unanswered)),
    recordUnmatched: (unmatched) => database.transaction((transaction) => recordUnmatched(transaction, unmatched)),
  };
}

async function* inParts<Row>(
  database: Database,
  statement: string,
  rail: string,
  from: Instant,
  to: Instant,
): AsyncIterable<readonly Row[]> {
  let partMs: number = PART_MS.first;
  for (let end = from; end < to; ) {
    const [next] = await database.query<{ at: Instant | null }>(NEXT_POSTING, [timestamp(end), timestamp(to)]);
    if (!next?.at) return;
    end = Math.min(next.at + partMs, to);
    const rows = await database.query<Row>(statement, [rail, timestamp(next.at), timestamp(end)]);
    yield rows;
    partMs = rows.length < ENOUGH_ROWS ? Math.min(partMs * 2, PART_MS.most) : Math.max(partMs / 2, PART_MS.least);
  }
}

function askableFromRow(row: EndedRow): AskablePayout {
  const { reference, send_until: sendUntil, adjusted_by: adjustedBy } = row;
  return { reference, sendUntil, payout: payoutFromRow(row), adjustedBy };
}

async function findSome(database: Database, rail: string, references: readonly string[]): Promise<KnownPayout[]> {
  const found = await database.query<PayoutKeyRow & { reference: string }>(BY_REFERENCE, [rail, references]);
  const keys: PayoutKey[] = found.map(keyFromRow);
  const rows = await database.query<KnownRow>(KNOWN, [
    keys.map(({ merchantId }) => merchantId),
    keys.map(({ payoutId }) => payoutId),
  ]);
  const byKey = new Map(rows.map((row) => [keyText(keyFromRow(row)), row]));
  return found.flatMap((entry) => {
    const row = byKey.get(keyText(keyFromRow(entry)));
    if (!row) return [];
    return [{ reference: entry.reference, payout: payoutFromRow(row), adjustedBy: row.adjusted_by }];
  });
}

async function keep(
  transaction: Queryable,
  { rail, day, runAt, listed, matched, settled }: Reconciliation,
  differences: readonly ListDifference[],
  unanswered: readonly string[],
): Promise<void> {
  const found = JSON.stringify(
    differences.map(({ merchantId, payoutId, ...rest }) => ({ ...rest, merchant_id: merchantId, payout_id: payoutId })),
  );
  await transaction.query(KEEP_RUN, [rail, day, timestamp(runAt), listed, matched, settled]);
  await transaction.query(KEEP_FOUND, [rail, day, timestamp(runAt), found]);
  await transaction.query(KEEP_UNACCOUNTED, [rail, day, timestamp(runAt), unmatched(differences), null]);
  await transaction.query(RESOLVE_GONE, [rail, day, timestamp(runAt), found, unanswered]);
}

async function recordUnmatched(
  transaction: Queryable,
  { rail, day, subject, by, at, ...words }: UnmatchedPayout,
): Promise<boolean> {
  const { merchantId, payoutId, ours } = words;
  if (by === 'notified' && !(await hasRoom(transaction, rail, subject))) return false;
  const theirs = `${by}: ${words.theirs}`;
  await transaction.query(RECORD_UNMATCHED, [
    rail,
    day,
    subject,
    merchantId,
    payoutId,
    ours,
    theirs,
    timestamp(at),
    by,
    MOST_OPEN_OF_ANY_SUBJECT,
  ]);
  await transaction.query(KEEP_UNACCOUNTED, [rail, day, timestamp(at), [subject], by]);
  return true;
}

async function hasRoom(transaction: Queryable, rail: string, reference: string): Promise<boolean> {
  if ((await transaction.query(IN_DIRECTORY, [rail, reference])).length > 0) return true;
  const [row] = await transaction.query<{ count: number }>(COUNT_NOTIFIED, [rail, MOST_NOTIFIED_REFERENCES]);
  return (row?.count ?? 0) < MOST_NOTIFIED_REFERENCES;
}

function unmatched(differences: readonly ListDifference[]): readonly string[] {
  return differences.filter(({ kind }) => kind === 'missing_here').map(({ subject }) => subject);
}
