/** Implements DifferenceStore over PostgreSQL. Operators read it and few rows are open, so it is not a hot path. */

import { BY_ITSELF } from '../../domain/audit/act-words.ts';
import {
  type DifferenceKey,
  type DifferenceKind,
  type KeptDifference,
  KINDS_OF_ANY_SUBJECT,
  MOST_OPEN_OF_ANY_SUBJECT,
  type ReportedDifference,
} from '../../domain/differences/difference.ts';
import type { DifferenceStore, OpenDifferences } from '../../domain/differences/difference-store.ts';
import { type Instant, utcDayOf } from '../../foundation/clock.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

/**
 * A bank may repeat a report for weeks. A known difference of any day, open or resolved, stays unchanged. At most about $3
 * differences of the kinds in $2 may be open: concurrent reports may exceed the limit. After an ended payout or payment, an
 * unconfirmed notification is new once the earlier difference has been resolved, because the same report may be about a later
 * change.
 */
const REPORT = `
insert into differences (rail, day, kind, subject, merchant_id, payout_id, transaction_id, ours, theirs, found_at)
select r.rail, r.day, r.kind, r.subject, r.merchant_id, r.payout_id, r.transaction_id, r.ours, r.theirs, r.found_at
from json_to_recordset($1) as r(rail text, day text, kind text, subject text, merchant_id text, payout_id text,
  transaction_id bigint, ours text, theirs text, found_at timestamptz)
where not exists (
  select from differences as d where d.rail = r.rail and d.kind = r.kind and d.subject = r.subject
    and (d.resolved_at is null or r.kind <> 'unconfirmed' or r.merchant_id is null))
and (r.kind <> all ($2::text[]) or $3 > (
  select count(*) from (
    select from differences as d where d.rail = r.rail and d.kind = r.kind and d.resolved_at is null limit $3) as open))
on conflict (rail, day, kind, subject) do update
set ours = excluded.ours, theirs = excluded.theirs, found_at = excluded.found_at, resolved_at = null, resolved_by = null, resolution = null
where differences.resolved_by = '${BY_ITSELF}' and excluded.kind = 'unconfirmed' and excluded.merchant_id is not null`;

const RESOLVE_BY_ITSELF = `
update differences set resolved_at = $4, resolved_by = '${BY_ITSELF}', resolution = $5
where rail = $1 and kind = $2 and subject = $3 and resolved_at is null`;

const COLUMNS = `rail, day, kind, subject, merchant_id, payout_id, transaction_id, ours, theirs, found_at, resolved_at,
  resolved_by, resolution`;

const LIST = `
select ${COLUMNS} from differences
where ($1::text is null or rail = $1) and ($2::text is null or day = $2) and ($3::text is null or kind = $3)
  and (not $4 or resolved_at is null)
order by day, rail, kind, subject`;

const FIND = `select ${COLUMNS} from differences where rail = $1 and day = $2 and kind = $3 and subject = $4`;

const RESOLVE = `
update differences set resolved_at = $5, resolved_by = $6, resolution = $7
where rail = $1 and day = $2 and kind = $3 and subject = $4 and resolved_at is null returning 1`;

const COUNT_OPEN = `
select rail, kind, count(*)::int as count, min(found_at) as "oldestAt" from differences
where resolved_at is null group by rail, kind order by rail, kind`;

interface DifferenceRow {
  rail: string;
  day: string;
  kind: DifferenceKind;
  subject: string;
  merchant_id: string | null;
  payout_id: string | null;
  transaction_id: bigint | null;
  ours: string;
  theirs: string;
  found_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  resolution: string | null;
}

export function createDifferenceStore(database: Database): DifferenceStore {
  return {
    report: (difference) => reportDifferences(database, [difference]),
    dismiss: (difference, resolution, at) => resolveByItself(database, difference, resolution, at),
    async list({ rail, day, kind, openOnly }) {
      return (await database.query<DifferenceRow>(LIST, [rail, day, kind, openOnly])).map(differenceFromRow);
    },
    async find({ rail, day, kind, subject }) {
      const [row] = await database.query<DifferenceRow>(FIND, [rail, day, kind, subject]);
      return row && differenceFromRow(row);
    },
    async resolve({ rail, day, kind, subject }: DifferenceKey, by, resolution, at) {
      const resolved = await database.query(RESOLVE, [rail, day, kind, subject, timestamp(at), by, resolution]);
      return resolved.length > 0;
    },
    countOpen: () => countOpenDifferences(database),
  };
}

export function countOpenDifferences(queryable: Queryable): Promise<OpenDifferences[]> {
  return queryable.query<OpenDifferences>(COUNT_OPEN);
}

/** Runs in the transaction that writes the subjects of the differences, where there is one. */
export async function reportDifferences(
  queryable: Queryable,
  differences: readonly ReportedDifference[],
): Promise<void> {
  if (differences.length === 0) return;
  const rows = differences.map(({ merchantId, payoutId, transactionId, foundAt, ...rest }) => ({
    ...rest,
    day: utcDayOf(foundAt),
    merchant_id: merchantId,
    payout_id: payoutId,
    transaction_id: transactionId,
    found_at: timestamp(foundAt),
  }));
  await queryable.query(REPORT, [JSON.stringify(rows), KINDS_OF_ANY_SUBJECT, MOST_OPEN_OF_ANY_SUBJECT]);
}

/** Resolves a difference that no longer exists. A difference that a user resolved stays unchanged. */
export async function resolveByItself(
  queryable: Queryable,
  { rail, kind, subject }: Omit<DifferenceKey, 'day'>,
  resolution: string,
  at: Instant,
): Promise<void> {
  await queryable.query(RESOLVE_BY_ITSELF, [rail, kind, subject, timestamp(at), resolution]);
}

function differenceFromRow(row: DifferenceRow): KeptDifference {
  const { rail, day, kind, subject, ours, theirs, resolved_at: at, resolved_by: by, resolution } = row;
  return {
    rail,
    day,
    kind,
    subject,
    ours,
    theirs,
    merchantId: row.merchant_id,
    payoutId: row.payout_id,
    transactionId: row.transaction_id === null ? null : Number(row.transaction_id),
    foundAt: row.found_at,
    resolved: at !== null && by !== null && resolution !== null ? { at, by, resolution } : null,
  };
}
