/**
 * Writes the files that show the schema: `npx node gateway/test/docs/schema/write-schema.ts`, after a new migration.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginTestRun } from '../../run/test-run.ts';
import { startTestServer } from '../../run/test-server.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { ROOT } from '../pages.ts';
import { readSchema } from './read-schema.ts';
import { schemaFiles } from './schema-files.ts';

const run = await beginTestRun();
try {
  await startTestServer(run.folder);
  const database = await createTestDatabase();
  const files = await schemaFiles(await readSchema(database.pool));
  await database.close();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(ROOT, path), text);
  console.log(`wrote ${Object.keys(files).join(', ')}`);
} finally {
  await run.end();
}
