/**
 * Implements EventStore over PostgreSQL. Each row of an event has the id of the database transaction that wrote it. A page ends
 * before the oldest transaction in flight, so no row can appear later before a place that a reader has passed: not by a
 * late commit, a slow process or a wrong clock. A page checks a limited number of rows, whatever merchant they belong to.
 */
import {
  EVENT_OBJECTS,
  type EventObject,
  type EventPage,
  type EventQuery,
  type EventStore,
  type GatewayEvent,
} from '../../domain/events/event-store.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Database } from '../core/database.ts';

/** The maximum number of rows of each table that one page checks, beyond the rows of its last transaction. */
const MOST_CHECKED = 5_000;

interface Source {
  readonly table: string;
  /** The tables of a view. PostgreSQL can read each table in order by its index, but would sort all rows of the view. */
  readonly parts?: readonly string[];
  /** The part of the key after the transaction. */
  readonly key: readonly string[];
  readonly columns: string;
}

const SOURCES: Readonly<Record<EventObject, Source>> = {
  payout: {
    table: 'payout_entries',
    parts: ['(select written_by from payouts where accepted_why is not null)', 'payout_history'],
    key: ['merchant_id', 'payout_id', 'entry'],
    columns: 'e.at, e.payout_id as object_id, e.event, e.from_state, e.to_state, e.actor, e.detail',
  },
  deposit: {
    table: 'deposit_history',
    key: ['merchant_id', 'transaction_id', 'entry'],
    columns: `e.at, (select d.order_id from deposits as d where d.merchant_id = e.merchant_id and d.transaction_id = e.transaction_id)
      as object_id, e.event, e.from_state, e.to_state, e.actor, e.detail`,
  },
  callback: {
    table: 'callback_attempts',
    key: ['merchant_id', 'callback_id', 'attempt'],
    columns: `e.started_at as at, e.callback_id as object_id, 'attempted' as event, null as from_state, e.outcome as to_state,
      'gateway' as actor, coalesce('HTTP ' || e.http_status, '') as detail`,
  },
  batch: {
    table: 'payout_batch_history',
    key: ['merchant_id', 'batch_id', 'entry'],
    columns: 'e.at, e.batch_id as object_id, e.event, e.from_state, e.to_state, e.actor, e.detail',
  },
  act: {
    table: 'audit_entries',
    key: ['merchant_id', 'number'],
    columns: `e.at, e.object as object_id, e.act as event, null as from_state, e.phase as to_state, e.actor_name as actor,
      coalesce(e.reason, '') as detail`,
  },
};

interface EventRow extends Readonly<Record<string, unknown>> {
  readonly written_by: string;
  readonly merchant_id: string;
  readonly at: Instant;
  readonly object_id: string | null;
  readonly event: string;
  readonly from_state: string | null;
  readonly to_state: string;
  readonly actor: string;
  readonly detail: string;
}

export function createEventStore(database: Database): EventStore {
  return {
    end: async () => ({ transaction: await readHorizon(database), kind: 0, key: [] }),
    read: (query) => readEvents(database, query),
  };
}

/** Every transaction before it has ended. Later statements see its commit. */
async function readHorizon(database: Database): Promise<string> {
  const [row] = await database.query<{ horizon: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  );
  return row?.horizon ?? '0';
}

async function readEvents(database: Database, query: EventQuery): Promise<EventPage> {
  const { after, limit, objects } = query;
  const horizon = BigInt(await readHorizon(database));
  const start = BigInt(after.transaction);
  if (start >= horizon) return { events: [], next: after, hasMore: false };
  const tables = objects.map((object) => SOURCES[object]).flatMap(({ table, parts }) => parts ?? [table]);
  const ends = await Promise.all(tables.map((table) => readEnd(database, table, start, horizon)));
  const end = ends.reduce((least, each) => (each < least ? each : least), horizon);
  const found = await Promise.all(objects.map((object) => readSource(database, object, query, end)));
  const events = found.flat().sort((one, other) => compareOf(one, other));
  if (events.length <= limit) {
    return { events, next: { transaction: end.toString(), kind: 0, key: [] }, hasMore: end < horizon };
  }
  const page = events.slice(0, limit);
  return { events: page, next: page.at(-1)?.place ?? after, hasMore: true };
}

/** The transaction before which at most MOST_CHECKED rows follow the start, and at least the start's own. */
async function readEnd(database: Database, table: string, start: bigint, horizon: bigint): Promise<bigint> {
  const [row] = await database.query<{ written_by: string }>(
    `select e.written_by from ${table} as e where e.written_by >= $1::xid8 and e.written_by < $2::xid8
     order by e.written_by offset ${MOST_CHECKED} limit 1`,
    [start.toString(), horizon.toString()],
  );
  if (!row) return horizon;
  const end = BigInt(row.written_by);
  return end > start ? end : start + 1n;
}

async function readSource(
  database: Database,
  object: EventObject,
  { merchantId, after, limit }: EventQuery,
  end: bigint,
): Promise<GatewayEvent[]> {
  const { table, key, columns } = SOURCES[object];
  const kind = EVENT_OBJECTS.indexOf(object) + 1;
  const values: unknown[] = [after.transaction, end.toString(), limit + 1];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const isAt = kind === after.kind && after.key.length > 0;
  const conditions = [
    'e.written_by >= $1::xid8 and e.written_by < $2::xid8',
    ...(kind < after.kind ? ['e.written_by > $1::xid8'] : []),
    ...(isAt
      ? [
          `(${['written_by', ...key].map((name) => `e.${name}`).join(', ')}) > ($1::xid8, ${after.key.map((part) => parameter(part)).join(', ')})`,
        ]
      : []),
    ...(merchantId === null ? [] : [`e.merchant_id = ${parameter(merchantId)}`]),
  ];
  const rows = await database.query<EventRow>(
    `select e.written_by, ${key.map((name) => `e.${name}`).join(', ')}, ${columns} from ${table} as e
     where ${conditions.join(' and ')} order by ${['written_by', ...key].map((name) => `e.${name}`).join(', ')} limit $3`,
    values,
  );
  return rows.map((row) => eventOf(object, kind, key, row));
}

function eventOf(object: EventObject, kind: number, key: readonly string[], row: EventRow): GatewayEvent {
  const parts = key.map((name) => (typeof row[name] === 'bigint' ? Number(row[name]) : (row[name] as string | number)));
  return {
    place: { transaction: row.written_by, kind, key: parts },
    at: row.at,
    merchantId: row.merchant_id,
    object,
    objectId: row.object_id ?? '',
    event: row.event,
    from: row.from_state,
    to: row.to_state,
    actor: row.actor,
    detail: row.detail,
  };
}

/** Orders events by transaction and kind. Within both, the sort keeps the order of the database. */
function compareOf({ place: one }: GatewayEvent, { place: other }: GatewayEvent): number {
  return Number(BigInt(one.transaction) - BigInt(other.transaction)) || one.kind - other.kind;
}
