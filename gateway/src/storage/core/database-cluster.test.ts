import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { FOR_CLUSTER } from './cluster-text.ts';
import { openDatabase } from './database.ts';

const FIND = `select m.merchant_id from unnest($1::text[]) as k(merchant_id) join merchants as m using (merchant_id)
  where m.merchant_id = any($1::text[]) ${FOR_CLUSTER}`;

/** The statement as the server has it, prepared outside and inside of a transaction. */
async function sentTexts(isCluster: boolean): Promise<readonly string[]> {
  const server = await createTestDatabase();
  // The gateway recognises a cluster by this table.
  if (isCluster) await server.pool.query('create table pg_dist_partition (logicalrelid regclass)');
  const database = openDatabase(server.config, { poolSize: 1 });
  try {
    const inside = await database.transaction((transaction) => transaction.prepared('inside', FIND, [['M1']]));
    const outside = await database.prepared('outside', FIND, [['M1']]);
    assert.deepEqual([inside, outside], [[], []]);
    const rows = await database.query<{ statement: string }>('select statement from pg_prepared_statements');
    return rows.map(({ statement }) => statement);
  } finally {
    await database.close();
    await server.close();
  }
}

it('on a single server, prepared statements omit the conditions that only a cluster needs', async () => {
  const sent = await sentTexts(false);
  assert.equal(sent.length, 2);
  for (const text of sent) assert.match(text, /where \$1::text\[\] is not null$/);
});

it('on a cluster, prepared statements contain the merchants that they concern', async () => {
  assert.deepEqual(await sentTexts(true), [FIND, FIND]);
});
