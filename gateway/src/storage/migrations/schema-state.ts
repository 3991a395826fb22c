/**
 * Whether this version can run on the database as it is. A newer schema will do, since migrations only add, and versions
 * roll over one by one; unless one of its migrations says that it breaks versions as old as this one.
 */
import { errorCode } from '../../foundation/error-code.ts';
import type { Queryable } from '../core/database.ts';
import { readMigrationNames } from './migration-file.ts';

/** `outdated`: the database lacks migrations. `too_new`: it has one that this version does not stand. */
export type SchemaState = 'fit' | 'outdated' | 'too_new';

/** No table, or one from before the column that says what breaks what. */
const UNDEFINED = ['42P01', '42703'];

/** Throws when the database can't be asked. `directory`: the migrations of another version, for tests. */
export async function readSchemaState(database: Queryable, directory?: string): Promise<SchemaState> {
  const needed = await readMigrationNames(directory);
  const newest = needed.at(-1)?.slice(0, 4) ?? '';
  try {
    const [found] = await database.query<{ applied: number; broken: boolean }>(
      `select count(*) filter (where name = any($1::text[]))::int as applied,
         coalesce(bool_or(breaks_before > $2), false) as broken from schema_migrations`,
      [needed, newest],
    );
    if (found?.broken) return 'too_new';
    return found?.applied === needed.length ? 'fit' : 'outdated';
  } catch (error) {
    if (UNDEFINED.includes(errorCode(error) ?? '')) return 'outdated';
    throw error;
  }
}
