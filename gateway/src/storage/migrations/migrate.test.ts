import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { until, within } from '../../../test/support/tools/until.ts';
import { MigrationBlocked, migrate } from './migrate.ts';

let test: TestDatabase;
let directory: string;

before(async () => {
  test = await createTestDatabase('empty');
  directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
});
after(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const write = (name: string, sql: string) => writeFile(path.join(directory, `${name}.sql`), sql);
const run = (options = {}) => migrate(test.config, { directory, ...options });
const written = async () =>
  (await test.pool.query('select name, breaks_before from schema_migrations order by id')).rows.map(
    ({ name, breaks_before }) => `${name} ${breaks_before ?? ''}`.trim(),
  );

it('a migration run ends with an error when the server accepts the connection but never responds', async () => {
  const met: Socket[] = [];
  const silent = createServer((socket) => met.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const config = { host: '127.0.0.1', port, user: 'x', database: 'x' };
  await assert.rejects(migrate(config, { connectTimeoutMs: 100 }), /timeout/);
  for (const socket of met) socket.destroy();
  silent.close();
});

it('a database with an encoding other than UTF8 is rejected before anything changes', async () => {
  const database = `${test.config.database}_latin`;
  await test.pool.query(`create database ${database} template template0 encoding 'LATIN1' locale 'C'`);
  const config = { ...test.config, database };
  await assert.rejects(migrate(config, { directory }), (error: Error) => {
    assert.ok(error instanceof MigrationBlocked);
    assert.match(error.message, /^The database has the encoding LATIN1, .* UTF8$/);
    return true;
  });
  await test.pool.query(`drop database ${database}`);
});

describe('migrations of a database', () => {
  it('a migration run applies the missing files in the order of their names, even with many concurrent runs', async () => {
    await write('0001_table', 'create table things (id int primary key); insert into things values (1);');
    await write('0002_column', '-- migration: breaks versions before 0001\nalter table things add column note text;');
    const applied = await Promise.all([run(), run(), run()]);
    assert.deepEqual(applied.flatMap((one) => one.applied).sort(), ['0001_table', '0002_column']);
    assert.deepEqual(await run(), { applied: [] });
    assert.deepEqual(await written(), ['0001_table', '0002_column 0001']);
  });

  it('a migration that fails does not leave a change, and the migrations before it stay', async () => {
    await write('0003_good', 'alter table things add column good int;');
    await write('0004_bad', 'alter table things add column bad int; select 1 / 0;');
    await assert.rejects(run(), /division by zero/);
    const { rows } = await test.pool.query("select attname from pg_attribute where attrelid = 'things'::regclass");
    const columns = rows.map(({ attname }) => attname);
    assert.deepEqual([columns.includes('good'), columns.includes('bad')], [true, false]);
    await rm(path.join(directory, '0004_bad.sql'));
  });

  it('a migration that waits for a lock never blocks other users for long', async () => {
    const reader = await test.pool.connect();
    await reader.query('begin');
    await reader.query('select * from things');
    await write('0005_waits', 'alter table things add column waits int;');
    const lines: string[] = [];
    const migrating = run({ log: (line: string) => void lines.push(line) });
    const hasWaited = () => lines.some((line) => line.startsWith('0005_waits waits'));
    // The reader keeps its lock meanwhile, so a query that waited for the migration would never end.
    await until('the migration waits', async () => {
      await within(60_000, 'a query beside the migration', test.pool.query('select count(*) from things'));
      return hasWaited();
    });
    await reader.query('commit');
    reader.release();
    assert.deepEqual((await migrating).applied, ['0005_waits']);
  });

  it('a migration stops with a message about the lock when its table stays locked', async () => {
    const reader = await test.pool.connect();
    await reader.query('begin');
    await reader.query('select * from things');
    await write('0006_never', 'alter table things add column never int;');
    await assert.rejects(run({ patienceMs: 100 }), MigrationBlocked);
    await reader.query('commit');
    reader.release();
    await run();
  });

  it('a migration builds an index without blocking writers', async () => {
    await test.pool.query('insert into things (id) values (2), (3)');
    await test.pool.query("update things set note = 'same'");
    await assert.rejects(test.pool.query('create unique index concurrently things_note on things (note)'));
    await test.pool.query('update things set note = id::text');
    await write(
      '0007_index',
      '-- migration: not transactional\ncreate unique index concurrently if not exists things_note on things (note);',
    );
    const writer = await test.pool.connect();
    await writer.query('begin');
    await writer.query("update things set note = 'x' where id = 1");
    const both = Promise.all([run(), run()]);
    await sleep(300);
    await writer.query('commit');
    writer.release();
    assert.deepEqual(
      (await both).flatMap(({ applied }) => applied),
      ['0007_index'],
    );
    const { rows } = await test.pool.query(
      "select indisvalid from pg_index where indexrelid = 'things_note'::regclass",
    );
    assert.deepEqual(rows, [{ indisvalid: true }]);
  });
});
