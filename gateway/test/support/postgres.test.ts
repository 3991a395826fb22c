import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './postgres.ts';

const database = await createTestDatabase();
after(() => database.close());

test('a test database has the schema and none of its neighbour’s rows', async () => {
  const neighbour = await createTestDatabase();
  await database.pool.query('create table only_here ()');
  const found = await neighbour.pool.query("select from pg_tables where tablename = 'only_here'");
  const migrated = await neighbour.pool.query('select from schema_migrations');
  await neighbour.close();
  assert.equal(found.rowCount, 0);
  assert.ok(migrated.rowCount);
});

test('its connection string leads to the same database', async () => {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.end();
  assert.equal(rows[0].name, database.config.database);
});

test('an empty test database has no schema', async () => {
  const empty = await createTestDatabase('empty');
  const { rowCount } = await empty.pool.query("select from pg_tables where tablename = 'schema_migrations'");
  await empty.close();
  assert.equal(rowCount, 0);
});
