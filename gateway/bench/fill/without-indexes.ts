/**
 * Drops the indexes of tables before the benchmark fills them, which is several times faster, and rebuilds them afterwards.
 * Rebuilt indexes are denser than indexes that grew, so only measurements of reads use this. An interrupted fill leaves the
 * index definitions in a table of the database for the next run.
 */
import type { AdminClient } from '../stage/admin-client.ts';

const INDEXES = `
select i.indrelid::regclass::text as on_table, i.indexrelid::regclass::text as name, c.conname as of_constraint,
  case when c.conname is null then pg_get_indexdef(i.indexrelid)
    else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as definition
from pg_index as i left join pg_constraint as c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
where i.indrelid = any($1::regclass[]) order by c.conname is null, i.indexrelid`;

interface Index {
  readonly on_table: string;
  readonly name: string;
  /** The constraint that the index implements, or null. */
  readonly of_constraint: string | null;
  readonly definition: string;
}

export async function withoutIndexes(
  admin: AdminClient,
  tables: readonly string[],
  onProgress: (line: string) => void,
  fill: () => Promise<void>,
): Promise<void> {
  await admin.query('create table if not exists bench_indexes (definition text primary key)');
  for (const { on_table, name, of_constraint, definition } of await admin.query<Index>(INDEXES, [tables])) {
    await admin.query('insert into bench_indexes values ($1) on conflict do nothing', [definition]);
    await admin.query(
      of_constraint ? `alter table ${on_table} drop constraint ${of_constraint}` : `drop index ${name}`,
    );
  }
  await fill();
  await admin.query(`set maintenance_work_mem = '1GB'`);
  const taken = await admin.query<{ definition: string }>('select definition from bench_indexes order by definition');
  for (const { definition } of taken) {
    onProgress(definition);
    await admin.query(definition.replace(/^(CREATE (?:UNIQUE )?INDEX) /, '$1 IF NOT EXISTS '));
    await admin.query('delete from bench_indexes where definition = $1', [definition]);
  }
  await admin.query('reset maintenance_work_mem');
}
