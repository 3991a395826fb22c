import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { openDatabase } from '../core/database.ts';
import { migrate } from './migrate.ts';
import { readSchemaState } from './schema-state.ts';

describe('a schema', () => {
  it('is outdated in an empty database, and can not be looked at in one that is gone', async () => {
    const empty = await createTestDatabase('empty');
    const database = openDatabase(empty.config, { poolSize: 1, actAsApp: false });
    assert.equal(await readSchemaState(database), 'outdated');
    await database.close();
    await assert.rejects(readSchemaState(database));
    await empty.close();
  });

  it('is outdated while a migration is missing, and fit while there is one more', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    const [role] = await database.query<{ role: string }>('select current_user as role');
    assert.equal(role?.role, 'gateway_app', 'the role that the gateway runs as may look');
    await test.pool.query("insert into schema_migrations (name, run_on) values ('9999_later', now())");
    assert.equal(await readSchemaState(database), 'fit');
    await test.pool.query("delete from schema_migrations where name like '0001%'");
    assert.equal(await readSchemaState(database), 'outdated');
    await database.close();
    await test.close();
  });

  it('is too new once a migration breaks versions as old as this one, and fit while it breaks older ones only', async () => {
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

  it('is foreign once it has a lower migration that this version lacks, and migrating says so and changes nothing', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    await test.pool.query("update schema_migrations set name = '0001_foundation' where name like '0001%'");
    assert.equal(await readSchemaState(database), 'foreign');
    await assert.rejects(migrate(test.config), {
      name: 'MigrationBlocked',
      message:
        'The database has a schema that no migration leads from: give the gateway an empty database or a new GATEWAY_DATA_DIR (it has the migration 0001_foundation)',
    });
    await database.close();
    await test.close();
  });

  it('is outdated where it was written down before breaking was, and migrating mends that', async () => {
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
