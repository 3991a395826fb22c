/** Whether the database has the schema that this version needs. A newer schema will do: versions roll over one by one. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../foundation/error-code.ts';
import type { Queryable } from './database.ts';

const MIGRATIONS = path.join(import.meta.dirname, 'migrations');
const UNDEFINED_TABLE = '42P01';

/** Throws when the database can't be asked. */
export async function isSchemaCurrent(database: Queryable): Promise<boolean> {
  const files = await readdir(MIGRATIONS);
  const needed = files.filter((file) => file.endsWith('.sql')).map((file) => path.basename(file, '.sql'));
  try {
    const applied = await database.query('select 1 from schema_migrations where name = any($1::text[])', [needed]);
    return applied.length === needed.length;
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE) return false;
    throw error;
  }
}
