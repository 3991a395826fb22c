import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { openDatabase } from '../core/database.ts';
import { migrate } from './migrate.ts';
import { readSchemaState } from './schema-state.ts';

describe('the state of a schema', () => {
  it('an empty database has an outdated schema, and reading the schema of a deleted database fails', async () => {
    const empty = await createTestDatabase('empty');
    const database = openDatabase(empty.config, { poolSize: 1, actAsApp: false });
    assert.equal(await readSchemaState(database), 'outdated');
    await database.close();
    await assert.rejects(readSchemaState(database));
    await empty.close();
  });

  it('a schema_migrations table of another program is foreign, and gateway migrate leaves it unchanged', async () => {
    const test = await createTestDatabase('empty');
    const database = openDatabase(test.config, { poolSize: 1, actAsApp: false });
    await database.query('create table schema_migrations (version text)');
    assert.equal(await readSchemaState(database), 'foreign');
    await assert.rejects(migrate(test.config), /schema_migrations belongs to another program/);
    const columns = await database.query(
      "select from pg_attribute where attrelid = 'schema_migrations'::regclass and attnum > 0",
    );
    assert.equal(columns.length, 1);
    await database.close();
    await test.close();
  });

  it('a schema is outdated while a migration is missing, and fit with one additional migration', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    const [role] = await database.query<{ role: string }>('select current_user as role');
    assert.equal(role?.role, 'gateway_app', 'the role of the gateway can read the schema state');
    await test.pool.query("insert into schema_migrations (name, run_on) values ('9999_later', now())");
    assert.equal(await readSchemaState(database), 'fit');
    await test.pool.query("delete from schema_migrations where name like '0001%'");
    assert.equal(await readSchemaState(database), 'outdated');
    await database.close();
    await test.close();
  });

  it('a schema is too new once a later migration declares that it breaks this version', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    const breakBefore = (number: string) =>
      test.pool.query(
        "insert into schema_migrations (name, run_on, breaks_before) values ('9999_later_' || $1, now(), $1)",
        [number],
      );
    await breakBefore('0001');
    assert.equal(await readSchemaState(database), 'fit');
    await breakBefore('9998');
    assert.equal(await readSchemaState(database), 'too_new');
    await database.close();
    await test.close();
  });

  it('a schema with a lower migration that this version lacks is foreign', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    await test.pool.query("update schema_migrations set name = '0001_foundation' where name like '0001%'");
    assert.equal(await readSchemaState(database), 'foreign');
    await assert.rejects(migrate(test.config), {
      name: 'MigrationBlocked',
      message:
        'The schema of the database is unknown to this version: give the gateway an empty database or a new GATEWAY_DATA_DIR (it has the migration 0001_foundation)',
    });
    await database.close();
    await test.close();
  });

  it('a schema whose migration ran with other statements is foreign, and gateway migrate reports it', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    for (const hash of [`'00'`, 'null']) {
      await test.pool.query(`update schema_migrations set sql_hash = ${hash} where name = '0003_payouts'`);
      assert.equal(await readSchemaState(database), 'foreign');
      await assert.rejects(migrate(test.config), /a new GATEWAY_DATA_DIR \(it has another migration 0003_payouts\)$/);
    }
    await database.close();
    await test.close();
  });

  it('a schema without the column breaks_before is outdated until it is migrated', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    await test.pool.query('alter table schema_migrations drop column breaks_before');
    assert.equal(await readSchemaState(database), 'outdated');
    await migrate(test.config);
    assert.equal(await readSchemaState(database), 'fit');
    await database.close();
    await test.close();
  });
});
