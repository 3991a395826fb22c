/** Reads all rows of one merchant, table by table, as text. */
import type { AdminClient } from '../stage/admin-client.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
}

export interface Column {
  readonly name: string;
  /** The type as written in a cast. */
  readonly type: string;
}

/** The values by column. Null is SQL's NULL. */
export type TextRow = Readonly<Record<string, string | null>>;

/** The rows by table. */
export type MerchantRows = ReadonlyMap<string, readonly TextRow[]>;

/** Returns the tables that contain merchants' rows, from the current schema. */
export async function readMerchantTables(admin: AdminClient): Promise<Table[]> {
  const rows = await admin.query<{ table_name: string; columns: Column[]; primary_key: string[] }>(`
    select c.relname as table_name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select json_agg(a.attname) from pg_index as i join pg_attribute as a on a.attrelid = c.oid and a.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as primary_key
    from pg_class as c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute as a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
    order by c.relname`);
  return rows.map((row) => ({ name: row.table_name, columns: row.columns, primaryKey: row.primary_key ?? [] }));
}

export async function readMerchantRows(
  admin: AdminClient,
  tables: readonly Table[],
  merchantId: string,
): Promise<MerchantRows> {
  const rows = new Map<string, readonly TextRow[]>();
  for (const { name, columns } of tables) {
    const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
    rows.set(name, await admin.query<TextRow>(`select ${texts} from ${name} where merchant_id = $1`, [merchantId]));
  }
  return rows;
}

/** Returns the rows of `after` whose keys are not in `before`. */
export function newRows({ name, primaryKey }: Table, before: MerchantRows, after: MerchantRows): TextRow[] {
  const keyOf = (row: TextRow) => JSON.stringify(primaryKey.map((column) => row[column]));
  const known = new Set((before.get(name) ?? []).map(keyOf));
  return (after.get(name) ?? []).filter((row) => !known.has(keyOf(row)));
}
