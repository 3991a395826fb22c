/** Tests that the schema can be distributed by merchant over a Citus cluster. A single PostgreSQL suffices for this. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { findLayoutFaults } from './schema-layout.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

describe('the layout of the schema', () => {
  it('every table of the schema has a layout, and every key stays within one merchant', async () => {
    assert.deepEqual(await findLayoutFaults(database.pool), []);
  });

  const planted = {
    'create table strays (a int primary key)': 'strays is in no layout',
    'alter table payouts add constraint once unique (payout_id)': 'once does not lead with merchant_id',
    'create unique index once on payouts (payout_id, merchant_id)': 'once does not lead with merchant_id',
    "create unique index once on deposits ((merchant_id || ''), order_id)": 'once does not lead with merchant_id',
    'create unique index once on provider_exchanges (rail, exchange_id)':
      'once lacks reference, by which provider_exchanges is spread',
    'alter table rail_references add constraint whose foreign key (merchant_id, payout_id) references payouts':
      'whose reaches from rail_references to payouts without staying at one merchant',
    'alter table callbacks add constraint whose foreign key (callback_id, merchant_id) references payouts (merchant_id, payout_id)':
      'whose reaches from callbacks to payouts without staying at one merchant',
    'create trigger each before update on payouts for each row execute function suppress_redundant_updates_trigger()':
      'payouts.each is a trigger',
    'alter table payouts add column number bigint generated always as identity':
      'payouts.number takes its default from a sequence',
    'alter table payout_history drop constraint payout_history_pkey': 'payout_history has no primary key',
    'drop table pauses': 'pauses is in the layout and not in the schema',
  };
  for (const [statement, fault] of Object.entries(planted)) {
    it(`the layout check finds a schema that Citus cannot distribute after: ${statement}`, async () => {
      const client = await database.pool.connect();
      try {
        await client.query('begin');
        await client.query(statement);
        assert.deepEqual(await findLayoutFaults(client), [fault]);
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  }
});
