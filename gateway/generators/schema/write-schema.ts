/**
 * Writes the files that show the schema and the statements of payouts: `npx node gateway/generators/schema/write-schema.ts`, after a
 * new migration or a changed statement.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginTestRun } from '../../test/run/test-run.ts';
import { startTestServer } from '../../test/run/test-server.ts';
import { createTestDatabase } from '../../test/support/postgres/postgres.ts';
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
