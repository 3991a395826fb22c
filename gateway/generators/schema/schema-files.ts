/** The files that show the schema and its most important statements in the docs, with their expected content. */
import { readMigrations } from '../../src/storage/migrations/migration-file.ts';
import { payoutStatements } from './payout-statements.ts';
import type { Schema } from './read-schema.ts';
import { schemaPicture } from './schema-picture.ts';
import { schemaText } from './schema-text.ts';

/** Returns the content by path relative to the project's root. */
export async function schemaFiles(schema: Schema): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/operations/schema.sql': schemaText(schema),
    'docs/operations/payout-statements.sql': payoutStatements(),
    'docs/pictures/schema.svg': schemaPicture(schema, await readNouns()),
  };
}

/** The name of the migration that creates a table contains its noun. */
async function readNouns(): Promise<Map<string, string>> {
  const migrations = await readMigrations();
  return new Map(
    migrations.flatMap(({ name, sql }) =>
      [...sql.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => [table, name.slice(5)] as const),
    ),
  );
}
