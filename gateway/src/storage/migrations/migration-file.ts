/**
 * Reads a migration file: its SQL, and its conditions in comment lines that begin with `-- migration:`
 * (docs/recipes/add-a-migration.md has the rules). migrate.ts runs it.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { invariant } from '../../foundation/invariant.ts';
import { splitStatements } from './split-statements.ts';

export const MIGRATIONS = import.meta.dirname;

export interface Migration {
  /** The name, for example `0005_what_it_does`. Migrations run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of its statements in hex, without comments. It reveals a database that an earlier state of the file migrated. */
  readonly hash: string;
  /** False for a single statement that PostgreSQL rejects within a transaction, such as `create index concurrently`. */
  readonly isTransactional: boolean;
  /** Gateway versions whose newest migration has a lower number, such as `0005`, cannot run on a database with this migration. */
  readonly breaksBefore: string | null;
}

const NOT_TRANSACTIONAL = /^-- migration: not transactional$/m;
const BREAKS = /^-- migration: breaks versions before (\d{4})$/m;
const ANY_MARK = /^-- migration:.*$/gm;

/** Returns the migrations in the order in which they run. */
export async function readMigrations(directory = MIGRATIONS): Promise<readonly Migration[]> {
  const names = await readMigrationNames(directory);
  return Promise.all(
    names.map(async (name) => readMigration(name, await readFile(path.join(directory, `${name}.sql`), 'utf8'))),
  );
}

export async function readMigrationNames(directory = MIGRATIONS): Promise<readonly string[]> {
  const files = await readdir(directory);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.basename(file, '.sql'))
    .sort();
}

/** A migration that a database records. `sql_hash` is null if it ran before the gateway recorded hashes. */
export type AppliedMigration = { readonly name: string; readonly sql_hash: string | null };

/**
 * A later version adds only higher numbers. So a lower number that this version lacks, or has with different statements,
 * belongs to another history.
 */
export function findForeign(
  applied: readonly AppliedMigration[],
  known: readonly Pick<Migration, 'name' | 'hash'>[],
): string | undefined {
  const newest = known.at(-1)?.name.slice(0, 4) ?? '';
  const hashes = new Map(known.map(({ name, hash }) => [name, hash]));
  return applied.find(({ name, sql_hash }) => name.slice(0, 4) <= newest && hashes.get(name) !== sql_hash)?.name;
}

export function readMigration(name: string, sql: string): Migration {
  const isTransactional = !NOT_TRANSACTIONAL.test(sql);
  const breaksBefore = BREAKS.exec(sql)?.[1] ?? null;
  const unknown = sql.match(ANY_MARK)?.filter((mark) => !NOT_TRANSACTIONAL.test(mark) && !BREAKS.test(mark)) ?? [];
  invariant(unknown.length === 0, `migration ${name} has an unknown marker: ${unknown.join(', ')}`);
  const hash = createHash('sha256').update(splitStatements(sql).join(';')).digest('hex');
  return { name, sql, hash, isTransactional, breaksBefore };
}
