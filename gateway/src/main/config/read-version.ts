/** Reads the version of the package and the newest migration that it needs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import { readMigrationNames } from '../../storage/migrations/migration-file.ts';

/** Returns a string such as `gateway 1.2.3 (schema 0027)`. */
export async function readVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const newest = (await readMigrationNames()).at(-1) ?? '';
  return `gateway ${version} (schema ${newest.slice(0, 4)})`;
}
