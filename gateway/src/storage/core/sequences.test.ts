import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres/postgres.ts';
import { SEQUENCES } from './sequences.ts';

test('the list of sequences to advance after a restore contains every sequence of the database', async () => {
  const database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string; increment: string }>(
    // Migration numbers never leave the gateway.
    `select sequencename as name, increment_by as increment from pg_sequences
     where sequencename <> 'schema_migrations_id_seq' order by sequencename`,
  );
  assert.deepEqual(
    rows.map(({ name, increment }) => [name, Number(increment)]),
    Object.values(SEQUENCES)
      .map(({ name, blockSize }) => [name, blockSize])
      .sort(),
  );
  await database.close();
});
