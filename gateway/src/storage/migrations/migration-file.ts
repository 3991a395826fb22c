/**
 * A migration as its file says it: SQL, and what has to be known before it runs, in comment lines that begin with
 * `-- migration:` (docs/recipes/add-a-migration.md has the rules). Reading alone; migrate.ts runs them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { invariant } from '../../foundation/invariant.ts';

export const MIGRATIONS = import.meta.dirname;

export interface Migration {
  /** `0005_what_it_does`; they run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** False: one statement that PostgreSQL refuses within a transaction, such as `create index concurrently`. */
  readonly isTransactional: boolean;
  /** Versions of the gateway whose newest migration has a lower number, such as `0005`, can't run on a database that has it. */
  readonly breaksBefore: string | null;
}

const NOT_TRANSACTIONAL = /^-- migration: not transactional$/m;
const BREAKS = /^-- migration: breaks versions before (\d{4})$/m;
const ANY_MARK = /^-- migration:.*$/gm;

/** In the order in which they run. */
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

/** A later version adds only higher numbers, so a lower one that this version lacks is of another history. */
export function findForeign(applied: readonly string[], known: readonly string[]): string | undefined {
  const newest = known.at(-1)?.slice(0, 4) ?? '';
  return applied.find((name) => name.slice(0, 4) <= newest && !known.includes(name));
}

export function readMigration(name: string, sql: string): Migration {
  const isTransactional = !NOT_TRANSACTIONAL.test(sql);
  const breaksBefore = BREAKS.exec(sql)?.[1] ?? null;
  const unknown = sql.match(ANY_MARK)?.filter((mark) => !NOT_TRANSACTIONAL.test(mark) && !BREAKS.test(mark)) ?? [];
  invariant(unknown.length === 0, `migration ${name} has a mark that nobody understands: ${unknown.join(', ')}`);
  return { name, sql, isTransactional, breaksBefore };
}
