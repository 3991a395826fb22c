/** Citus's requirements for a schema that is distributed by merchant, checked in the catalogue of a single PostgreSQL. */
import type pg from 'pg';
import { spreadBy, TABLE_LAYOUTS, type TableLayout } from '../../src/storage/cluster/distribution.ts';

type Catalogue = Pick<pg.ClientBase, 'query'>;

interface Constraint {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The target of a foreign key. */
  readonly target: string | null;
  readonly target_columns: readonly string[] | null;
}

/** Returns one sentence per object that Citus would reject or that would connect merchants. */
export async function findLayoutFaults(database: Catalogue): Promise<string[]> {
  const tables = await namesOf(database, TABLES);
  return [
    ...tables.filter((table) => !layoutOf(table)).map((table) => `${table} is in no layout`),
    ...Object.keys(TABLE_LAYOUTS)
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} is in the layout and not in the schema`),
    ...(await keyFaults(database)),
    ...(await foreignKeyFaults(database)),
    ...(await namesOf(database, TRIGGERS)).map((trigger) => `${trigger} is a trigger`),
    ...(await namesOf(database, DEFAULTS)).map((column) => `${column} takes its default from a sequence`),
    ...(await namesOf(database, WITHOUT_KEY)).filter(isSpread).map((table) => `${table} has no primary key`),
  ];
}

const layoutOf = (table: string): TableLayout | undefined =>
  Object.hasOwn(TABLE_LAYOUTS, table) ? TABLE_LAYOUTS[table] : undefined;
const isSpread = (table: string) => (layoutOf(table)?.kind ?? 'local') !== 'local';

async function keyFaults(database: Catalogue): Promise<string[]> {
  const { rows } = await database.query<Constraint>(UNIQUE_INDEXES);
  return rows.flatMap(({ table, name, columns }) => {
    const layout = layoutOf(table);
    const column = layout && spreadBy(layout);
    if (!layout || !column) return [];
    if (layout.kind === 'merchant' && columns[0] !== column) return [`${name} does not lead with ${column}`];
    return columns.includes(column) ? [] : [`${name} lacks ${column}, by which ${table} is spread`];
  });
}

/**
 * A foreign key must stay within the merchants' tables, from merchant_id to merchant_id. Any other foreign key would cross
 * nodes.
 */
async function foreignKeyFaults(database: Catalogue): Promise<string[]> {
  const { rows } = await database.query<Constraint>(FOREIGN_KEYS);
  return rows.flatMap(({ table, name, columns, target, target_columns: targets }) => {
    const kinds = [layoutOf(table)?.kind, layoutOf(target ?? '')?.kind];
    if (kinds.every((kind) => kind === 'local')) return [];
    const place = columns.indexOf('merchant_id');
    const isWithin = kinds.every((kind) => kind === 'merchant') && place >= 0 && targets?.[place] === 'merchant_id';
    return isWithin ? [] : [`${name} reaches from ${table} to ${target} without staying at one merchant`];
  });
}

async function namesOf(database: Catalogue, query: string): Promise<string[]> {
  return (await database.query<{ name: string }>(query)).rows.map(({ name }) => name);
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;

const TABLES = `select c.relname as name from pg_class as c where ${OURS} order by 1`;

/** An expression has no column, so it appears as a column without a name. */
const UNIQUE_INDEXES = `
select c.relname as table, x.relname as name,
  array(select coalesce(a.attname, '')::text from unnest(i.indkey[:i.indnkeyatts - 1]) with ordinality as k(attnum, place)
    left join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.attnum and a.attnum > 0 order by k.place) as columns
from pg_index as i join pg_class as c on c.oid = i.indrelid join pg_class as x on x.oid = i.indexrelid
where (i.indisunique or i.indisexclusion) and ${OURS} order by 1, 2`;

const FOREIGN_KEYS = `
select c.relname as table, f.conname as name, t.relname as target,
  array(select a.attname::text from unnest(f.conkey) with ordinality as k(attnum, place)
    join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.attnum order by k.place) as columns,
  array(select a.attname::text from unnest(f.confkey) with ordinality as k(attnum, place)
    join pg_attribute as a on a.attrelid = f.confrelid and a.attnum = k.attnum order by k.place) as target_columns
from pg_constraint as f join pg_class as c on c.oid = f.conrelid join pg_class as t on t.oid = f.confrelid
where f.contype = 'f' and ${OURS} order by 1, 2`;

const TRIGGERS = `
select c.relname || '.' || t.tgname as name from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
where not t.tgisinternal and ${OURS} order by 1`;

/** Excludes the migrations table, which stays on the coordinator. On other tables, each node would have a separate sequence. */
const DEFAULTS = `
select c.relname || '.' || a.attname as name from pg_attribute as a join pg_class as c on c.oid = a.attrelid
left join pg_attrdef as d on d.adrelid = c.oid and d.adnum = a.attnum
where ${OURS} and c.relname <> 'schema_migrations'
  and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%') order by 1`;

const WITHOUT_KEY = `
select c.relname as name from pg_class as c
where ${OURS} and not exists (select from pg_index as i where i.indrelid = c.oid and i.indisprimary) order by 1`;
