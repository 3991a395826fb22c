import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openDatabase } from './database.ts';
import { isSchemaCurrent } from './schema-state.ts';

describe('a schema', () => {
  it('is not current in an empty database, and can not be looked at in one that is gone', async () => {
    const empty = await createTestDatabase('empty');
    const database = openDatabase(empty.config, { poolSize: 1, actAsApp: false });
    assert.equal(await isSchemaCurrent(database), false);
    await database.close();
    await assert.rejects(isSchemaCurrent(database));
    await empty.close();
  });

  it('is not current while a migration is missing, and is while there is one more', async () => {
    const test = await createTestDatabase();
    const database = openDatabase(test.config, { poolSize: 1 });
    const [role] = await database.query<{ role: string }>('select current_user as role');
    assert.equal(role?.role, 'gateway_app', 'the role that the gateway runs as may look');
    await test.pool.query("insert into schema_migrations (name, run_on) values ('9999_later', now())");
    assert.equal(await isSchemaCurrent(database), true);
    await test.pool.query("delete from schema_migrations where name like '0001%'");
    assert.equal(await isSchemaCurrent(database), false);
    await database.close();
    await test.close();
  });
});
