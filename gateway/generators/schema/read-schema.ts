/** Reads the schema from the catalogue of a migrated PostgreSQL: tables, views and sequences in order of creation. */
import type pg from 'pg';

export interface SchemaColumn {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

interface SchemaConstraint {
  readonly name: string;
  readonly kind: 'primary key' | 'foreign key' | 'other';
  readonly definition: string;
  readonly columns: readonly string[];
  /** The table that a foreign key references. */
  readonly target: string | null;
}

export interface SchemaTable {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: readonly SchemaColumn[];
  readonly constraints: readonly SchemaConstraint[];
  /** The statements that create indexes without a constraint. */
  readonly indexes: readonly string[];
  /** Storage parameters, such as `fillfactor=50`. */
  readonly parameters: readonly string[];
  /** The rights of gateway_app, such as `select` or `update (posted)`. */
  readonly rights: readonly string[];
}

export interface SchemaView {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: readonly SchemaColumn[];
  readonly query: string;
  readonly rights: readonly string[];
}

export interface SchemaSequence {
  readonly name: string;
  readonly comment: string | null;
  readonly options: string;
  readonly rights: readonly string[];
}

export interface Schema {
  readonly tables: readonly SchemaTable[];
  readonly views: readonly SchemaView[];
  readonly sequences: readonly SchemaSequence[];
}

/** Reads the schema without schema_migrations, which migrate.ts creates. */
export async function readSchema(database: Pick<pg.ClientBase, 'query'>): Promise<Schema> {
  const { rows: tables } = await database.query<SchemaTable>(TABLES);
  const { rows: views } = await database.query<SchemaView>(VIEWS);
  const { rows: sequences } = await database.query<SchemaSequence>(SEQUENCES);
  return { tables, views, sequences };
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relname not like 'schema\\_migrations%'`;

const RIGHTS = `(select coalesce(array_agg(r.word order by r.word), '{}') from (
    select lower(x.privilege_type) as word from aclexplode(c.relacl) as x where x.grantee = 'gateway_app'::regrole
    union all
    select lower(x.privilege_type) || ' (' || string_agg(a.attname, ', ' order by a.attname) || ')'
    from pg_attribute as a cross join lateral aclexplode(a.attacl) as x
    where a.attrelid = c.oid and x.grantee = 'gateway_app'::regrole group by x.privilege_type) as r)`;

const COLUMNS = `(select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'isRequired', a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid), 'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
    from pg_attribute as a left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

const CONSTRAINTS = `(select coalesce(json_agg(json_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid),
      'kind', case k.contype when 'p' then 'primary key' when 'f' then 'foreign key' else 'other' end,
      'columns', array(select a.attname from unnest(k.conkey) with ordinality as n(attnum, place)
        join pg_attribute as a on a.attrelid = c.oid and a.attnum = n.attnum order by n.place),
      'target', (select t.relname from pg_class as t where t.oid = k.confrelid)) order by k.contype <> 'p', k.conname), '[]')
    from pg_constraint as k where k.conrelid = c.oid and k.contype <> 'n')`;

/** Reads the constraints except not-null constraints, which belong to the columns. */
const TABLES = `
select c.relname as name, obj_description(c.oid, 'pg_class') as comment, ${COLUMNS} as columns, ${CONSTRAINTS} as constraints,
  array(select pg_get_indexdef(i.indexrelid) from pg_index as i join pg_class as x on x.oid = i.indexrelid
    where i.indrelid = c.oid and not exists (select from pg_constraint as k where k.conindid = i.indexrelid and k.conrelid = c.oid)
    order by x.relname) as indexes,
  array(select p from unnest(c.reloptions) as p order by p) as parameters, ${RIGHTS} as rights
from pg_class as c where c.relkind in ('r', 'p') and ${OURS} order by c.oid`;

const VIEWS = `
select c.relname as name, obj_description(c.oid, 'pg_class') as comment, ${COLUMNS} as columns,
  pg_get_viewdef(c.oid, true) as query, ${RIGHTS} as rights
from pg_class as c where c.relkind = 'v' and ${OURS} order by c.oid`;

const SEQUENCES = `
select c.relname as name, obj_description(c.oid, 'pg_class') as comment, ${RIGHTS} as rights,
  format('increment by %s minvalue %s maxvalue %s start with %s', s.seqincrement, s.seqmin, s.seqmax, s.seqstart) as options
from pg_class as c join pg_sequence as s on s.seqrelid = c.oid where c.relkind = 'S' and ${OURS} order by c.oid`;
