/** Tests the test databases on which all other tests rely. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './postgres.ts';

const database = await createTestDatabase();
after(() => database.close());

test('a test database has the schema and no rows of its neighbour', async () => {
  const neighbour = await createTestDatabase();
  await database.pool.query('create table only_here ()');
  const found = await neighbour.pool.query("select from pg_tables where tablename = 'only_here'");
  const migrated = await neighbour.pool.query('select from schema_migrations');
  await neighbour.close();
  assert.equal(found.rowCount, 0);
  assert.ok(migrated.rowCount);
});

test('the connection string of a test database connects to that database', async () => {
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

test('closing a test database fails when PostgreSQL counted a deadlock in it', async () => {
  const tested = await createTestDatabase();
  const clients = [new pg.Client(tested.config), new pg.Client(tested.config)];
  for (const client of clients) await client.connect();
  await Promise.all(clients.map((client) => client.query('begin')));
  await Promise.all(clients.map((client, key) => client.query('select pg_advisory_xact_lock($1)', [key])));
  const ends = await Promise.allSettled(
    clients.map((client, key) =>
      client.query('select pg_advisory_xact_lock($1)', [1 - key]).finally(() => client.end()),
    ),
  );
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(tested.close(), /counted 1 deadlocks/);
});
