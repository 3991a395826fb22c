/**
 * Decides whether this version can run on the database as it is. A newer schema is fit, because migrations only add and
 * versions roll over one by one. The exception is a migration that declares that it breaks this version.
 */
import { errorCode } from '../../foundation/error-code.ts';
import type { Queryable } from '../core/database.ts';
import { type AppliedMigration, findForeign, readMigrations } from './migration-file.ts';

/**
 * `outdated` means that the database lacks migrations, `too_new` that one of its migrations breaks this version. `foreign`
 * means that no version has one of its migrations any more, or only with different statements, so no migration leads from
 * there to this schema.
 */
export type SchemaState = 'fit' | 'outdated' | 'too_new' | 'foreign';

/** The table of migrations is missing or lacks a column. */
const UNDEFINED = ['42P01', '42703'];

/** Throws if the database is unreachable. `directory` has the migrations of another version, for tests. */
export async function readSchemaState(database: Queryable, directory?: string): Promise<SchemaState> {
  const needed = await readMigrations(directory);
  const newest = needed.at(-1)?.name.slice(0, 4) ?? '';
  try {
    const applied = await database.query<AppliedMigration & { broken: boolean }>(
      'select name, sql_hash, coalesce(breaks_before > $1, false) as broken from schema_migrations order by name',
      [newest],
    );
    if (findForeign(applied, needed) !== undefined) return 'foreign';
    if (applied.some(({ broken }) => broken)) return 'too_new';
    const names = new Set(applied.map(({ name }) => name));
    return needed.every(({ name }) => names.has(name)) ? 'fit' : 'outdated';
  } catch (error) {
    if (!UNDEFINED.includes(errorCode(error) ?? '')) throw error;
    return isBookOfAnother(await readBookColumns((text) => database.query(text))) ? 'foreign' : 'outdated';
  }
}

const BOOK_COLUMNS = `
select attname as name from pg_attribute
where attrelid = to_regclass('schema_migrations') and attnum > 0 and not attisdropped`;

/** Returns the columns of the table of applied migrations; none: it does not exist. */
export async function readBookColumns(
  query: (text: string) => Promise<readonly { readonly name: string }[]>,
): Promise<readonly string[]> {
  return (await query(BOOK_COLUMNS)).map(({ name }) => name);
}

/** Returns true for the table of the same name that belongs to another program. */
export function isBookOfAnother(columns: readonly string[]): boolean {
  return columns.length > 0 && !columns.includes('name');
}
