import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { FOR_CLUSTER, STEP_BY_STEP } from './cluster-text.ts';
import { type Database, openDatabase } from './database.ts';

const FIND = `select m.merchant_id from unnest($1::text[]) as k(merchant_id) join merchants as m using (merchant_id)
  where m.merchant_id = any($1::text[]) ${FOR_CLUSTER}`;

async function withDatabase<Result>(
  isCluster: boolean,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const server = await createTestDatabase();
  // The gateway recognises a cluster by this table.
  if (isCluster) await server.pool.query('create table pg_dist_partition (logicalrelid regclass)');
  const database = openDatabase(server.config, { poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await server.close();
  }
}

/** The statement as the server has it, prepared outside and inside of a transaction. */
function sentTexts(isCluster: boolean): Promise<readonly string[]> {
  return withDatabase(isCluster, async (database) => {
    const inside = await database.transaction((transaction) => transaction.prepared('inside', FIND, [['M1']]));
    const outside = await database.prepared('outside', FIND, [['M1']]);
    assert.deepEqual([inside, outside], [[], []]);
    const rows = await database.query<{ statement: string }>('select statement from pg_prepared_statements');
    return rows.map(({ statement }) => statement);
  });
}

it('on a single server, prepared statements omit the conditions that only a cluster needs', async () => {
  const sent = await sentTexts(false);
  assert.equal(sent.length, 2);
  for (const text of sent) assert.match(text, /where \$1::text\[\] is not null$/);
});

it('on a cluster, prepared statements contain the merchants that they concern', async () => {
  assert.deepEqual(await sentTexts(true), [FIND, FIND]);
});

/** The second change repeats the key of the first. */
const REPEATS_ITSELF = `${STEP_BY_STEP}
with first as (
  insert into rail_references (rail, reference, merchant_id, payout_id) values ('a', $1, 'M1', 'p') returning rail, reference)
insert into rail_references (rail, reference, merchant_id, payout_id) select rail, reference, 'M2', 'p' from first`;

it('on a cluster, a statement in steps writes everything or nothing', async () => {
  await withDatabase(true, async (database) => {
    await assert.rejects(database.query(REPEATS_ITSELF, ['once']), { code: '23505' });
    assert.deepEqual(await database.query('select from rail_references'), []);
  });
});

it('a database connection outside a transaction rejects a statement that runs in steps', async () => {
  await withDatabase(true, async (database) => {
    const { connection, release } = await database.connect();
    await assert.rejects(connection.query(REPEATS_ITSELF, ['once']), /needs a transaction/);
    release();
    assert.deepEqual(await database.query('select from rail_references'), []);
  });
});
