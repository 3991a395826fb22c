/**
 * Reads a migration file: its SQL, and its conditions in comment lines that begin with `-- migration:`
 * (docs/recipes/add-a-migration.md has the rules). It runs nothing; migrate.ts does.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { invariant } from '../../foundation/invariant.ts';

export const MIGRATIONS = import.meta.dirname;

export interface Migration {
  /** For example `0005_what_it_does`. Migrations run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** False: one statement that PostgreSQL rejects within a transaction, such as `create index concurrently`. */
  readonly isTransactional: boolean;
  /**
   * Gateway versions whose newest migration has a lower number, such as `0005`, cannot run on a database with this migration.
   */
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

/** A later version adds only higher numbers. So a lower number that this version lacks belongs to another history. */
export function findForeign(applied: readonly string[], known: readonly string[]): string | undefined {
  const newest = known.at(-1)?.slice(0, 4) ?? '';
  return applied.find((name) => name.slice(0, 4) <= newest && !known.includes(name));
}

export function readMigration(name: string, sql: string): Migration {
  const isTransactional = !NOT_TRANSACTIONAL.test(sql);
  const breaksBefore = BREAKS.exec(sql)?.[1] ?? null;
  const unknown = sql.match(ANY_MARK)?.filter((mark) => !NOT_TRANSACTIONAL.test(mark) && !BREAKS.test(mark)) ?? [];
  invariant(unknown.length === 0, `migration ${name} has an unknown marker: ${unknown.join(', ')}`);
  return { name, sql, isTransactional, breaksBefore };
}
