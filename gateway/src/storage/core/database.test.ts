import assert from 'node:assert/strict';
import { connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { openDatabase } from './database.ts';
import { isConnectionFailure } from './database-errors.ts';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** The last message that PostgreSQL sends on a connection that an administrator terminates. */
function farewell(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/**
 * A relay between a pool and the server. It closes each connection in the same packet as the `at`th answer. Without it, a
 * connection breaks between two of its users only by chance.
 */
function createRelay(test: TestDatabase, at: number): Server {
  return createServer((downstream) => {
    const upstream = connect(`${test.config.host}/.s.PGSQL.${test.config.port}`);
    let answers = 0;
    upstream.on('data', (chunk) => {
      if (chunk.includes(READY_FOR_QUERY)) answers += 1;
      if (answers < at) return void downstream.write(chunk);
      downstream.end(Buffer.concat([chunk, farewell()]));
      upstream.destroy();
    });
    downstream.on('data', (chunk) => upstream.write(chunk));
    for (const socket of [downstream, upstream]) socket.on('error', () => undefined);
    downstream.on('close', () => upstream.destroy());
  });
}

describe('a connection that ends together with a response', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  /** The outcomes of three transactions in sequence, over connections that close with their `at`th answer. */
  async function outcomesOverRelay(at: number): Promise<unknown[]> {
    const relay = createRelay(test, at);
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const { port } = relay.address() as { port: number };
    const database = openDatabase({ ...test.config, host: '127.0.0.1', port }, { poolSize: 1 });
    const outcomes: unknown[] = [];
    for (let tries = 0; tries < 3; tries++) {
      outcomes.push(
        await database
          .transaction((transaction) => transaction.query('select 1 as one'))
          .then(
            ([row]) => row,
            (error: unknown) => isConnectionFailure(error),
          ),
      );
    }
    await database.close();
    relay.close();
    return outcomes;
  }

  it('a connection that closes together with a response fails only the next transaction on it', async () => {
    for (const at of [1, 2, 3, 4]) assert.deepEqual(await outcomesOverRelay(at), [true, true, true], `answer ${at}`);
  });

  it('a connection that closes together with the response to a commit keeps the commit and is not reused', async () => {
    assert.deepEqual(await outcomesOverRelay(5), [{ one: 1 }, { one: 1 }, { one: 1 }]);
  });
});

/** Removes the startup parameter `options`, as PgBouncer does with `ignore_startup_parameters = options`. */
function createDroppingProxy(test: TestDatabase): Server {
  return createServer((downstream) => {
    const upstream = connect(`${test.config.host}/.s.PGSQL.${test.config.port}`);
    upstream.on('data', (chunk) => downstream.write(chunk));
    downstream.once('data', (startup) => {
      const words = startup.subarray(8).toString('latin1').split('\0');
      const at = words.indexOf('options');
      const rest = Buffer.from(words.toSpliced(at, 2).join('\0'), 'latin1');
      const head = Buffer.from(startup.subarray(0, 8));
      head.writeUInt32BE(8 + rest.length, 0);
      upstream.write(Buffer.concat([head, rest]));
      downstream.on('data', (chunk) => upstream.write(chunk));
    });
    for (const socket of [downstream, upstream]) socket.on('error', () => undefined);
    downstream.on('close', () => upstream.destroy());
  });
}

describe('a database with other defaults', () => {
  it('a connection through a proxy that drops our session options is rejected until the login sets them', async () => {
    const test = await createTestDatabase();
    const { rows } = await test.pool.query<{ name: string }>('select current_database() as name');
    const setZone = (zone: string) => test.pool.query(`alter database "${rows[0]?.name}" set timezone = '${zone}'`);
    const proxy = createDroppingProxy(test);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    const database = openDatabase({ ...test.config, host: '127.0.0.1', port }, { poolSize: 1 });
    await setZone('Asia/Kathmandu');
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(
        database.query('select now() as now'),
        /timezone = Asia\/Kathmandu, but the gateway needs UTC\. .* alter role … set timezone = 'UTC'/,
      );
    await setZone('UTC');
    const [row] = await database.query<{ now: number }>('select now() as now');
    assert.ok(Math.abs((row?.now ?? 0) - Date.now()) < 60_000);
    await database.close();
    proxy.close();
    await test.close();
  });

  it('every connection’s transactions are READ COMMITTED, whatever the defaults of the database', async () => {
    const test = await createTestDatabase();
    const { rows } = await test.pool.query<{ name: string }>('select current_database() as name');
    const name = rows[0]?.name ?? '';
    for (const [setting, value] of [
      ['datestyle', 'German'],
      ['bytea_output', 'escape'],
      ['timezone', 'Asia/Kathmandu'],
      ['default_transaction_isolation', 'repeatable read'],
    ])
      await test.pool.query(`alter database "${name}" set ${setting} = '${value}'`);
    const database = openDatabase(test.config, { poolSize: 2 });
    const [row] = await database.query(`select '2026-11-20T12:00:00Z'::timestamptz as at, '\\x00ff'::bytea as bytes`);
    assert.deepEqual(row, { at: Date.parse('2026-11-20T12:00:00Z'), bytes: Buffer.from([0, 255]) });
    const [isolation] = await database.transaction((transaction) =>
      transaction.query(`select current_setting('transaction_isolation') as level`),
    );
    assert.deepEqual(isolation, { level: 'read committed' });
    await database.close();
    await test.close();
  });
});
