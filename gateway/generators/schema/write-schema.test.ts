/** The schema files in the docs equal the migrated schema. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres/postgres.ts';
import { ROOT } from '../pages.ts';
import { readSchema, type Schema } from './read-schema.ts';
import { schemaFiles } from './schema-files.ts';
import { schemaText } from './schema-text.ts';

const SCHEMA = 'docs/operations/schema.sql';
const STATEMENTS = 'docs/operations/payout-statements.sql';

let database: TestDatabase;
let schema: Schema;

before(async () => {
  database = await createTestDatabase();
  schema = await readSchema(database.pool);
});
after(() => database.close());

describe('the schema in the docs', () => {
  it('the schema files equal the migrated schema (npx node gateway/generators/schema/write-schema.ts writes them)', async () => {
    for (const [path, text] of Object.entries(await schemaFiles(schema)))
      assert.equal(readFileSync(join(ROOT, path), 'utf8'), text, `${path} is stale`);
  });

  it('docs/operations/schema.sql recreates the schema in an empty database', async () => {
    const empty = await createTestDatabase('empty');
    await empty.pool.query(readFileSync(join(ROOT, SCHEMA), 'utf8'));
    assert.equal(schemaText(await readSchema(empty.pool)), schemaText(schema));
    await empty.close();
  });

  it('PostgreSQL prepares each statement of docs/operations/payout-statements.sql on the schema', async () => {
    const [, ...texts] = readFileSync(join(ROOT, STATEMENTS), 'utf8').split(/^-- [A-Z_]+ of .*$/m);
    assert.ok(texts.length > 0);
    for (const [index, text] of texts.entries()) await database.pool.query(`prepare statement_${index} as ${text}`);
  });

  it('every table, view and sequence has a comment', () => {
    const objects = [...schema.tables, ...schema.views, ...schema.sequences];
    assert.deepEqual(
      objects.filter(({ comment }) => comment === null).map(({ name }) => name),
      [],
    );
  });
});
