/** Runs the next version's migrations while this version serves under load. The last migration breaks this version. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../src/storage/migrations/migrate.ts';
import { MIGRATIONS } from '../../../src/storage/migrations/migration-file.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { startLoad } from '../../support/payouts/payout-load.ts';
import { openStressScene } from '../../support/payouts/stress-scene.ts';
import { createTestDatabase } from '../../support/postgres/postgres.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

/** The next version's changes: a new table, a column on every table, and an index that is built concurrently. */
const nextVersion = (tables: readonly string[]): Readonly<Record<string, string>> => ({
  '9001_tables':
    'create table colours (merchant_id text not null, colour text not null, primary key (merchant_id, colour));',
  '9002_payouts': "alter table payouts add column colour text not null default 'none';",
  ...Object.fromEntries(
    tables
      .filter((table) => table !== 'payouts')
      .map((table) => [`9003_${table}`, `alter table ${table} add column colour text;`]),
  ),
  '9005_index':
    '-- migration: not transactional\ncreate index concurrently if not exists payouts_colour on payouts (merchant_id, colour);',
  '9006_check': "alter table payouts add constraint a_colour check (colour <> '') not valid;",
  '9007_validate': 'alter table payouts validate constraint a_colour;',
});
const BREAKING = { '9008_breaks': '-- migration: breaks versions before 9007\ndrop table colours;' };
const ROUNDS = process.env['TEST_FULL'] ? 5 : 1;

test('no request fails during migrations under load, and a version that the schema breaks reports it', async () => {
  const choices = createChoices('rolling migration');
  const database = await createTestDatabase();
  const scene = await openStressScene({ DATABASE_URL: database.connectionString }, database.config);
  const directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  await cp(MIGRATIONS, directory, { recursive: true });
  const release = async (files: Readonly<Record<string, string>>) => {
    for (const [name, sql] of Object.entries(files)) await writeFile(path.join(directory, `${name}.sql`), sql);
    return (await migrate(database.config, { directory })).applied;
  };
  const { rows } = await database.pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = current_schema() and tablename <> 'schema_migrations'`,
  );
  const tables = rows.map(({ tablename }) => tablename);
  const migrations = nextVersion(tables);
  const gateway = await startGatewayProcess(scene.variables);
  const load = startLoad({
    merchants: scene.merchants,
    url: () => gateway.url,
    choices,
    clients: 8,
    answeredWithinMs: 30_000,
  });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(500);
      assert.equal((await release(migrations)).length, Object.keys(migrations).length);
      await sleep(500);
      const other = await startGatewayProcess({ ...scene.variables, PORT: '0' });
      await other.stop();
      // Sequential: a statement that locks several tables would deadlock with the load.
      if (round + 1 < ROUNDS) for (const statement of undo(tables)) await database.pool.query(statement);
    }
    await load.stop();
    assert.deepEqual(load.failures(), []);
    assert(load.acknowledged.length > 30, `only ${load.acknowledged.length} payouts were acknowledged`);
    await scene.judge(load.acknowledged);
    await release(BREAKING);
    await until(
      'the gateway reports its old version',
      async () => (await readiness(gateway.opsUrl)) === '{"status":"version too old"}',
    );
    await assert.rejects(startGatewayProcess({ ...scene.variables, PORT: '0' }), /start a newer version/);
    await gateway.stop();
  } finally {
    load.abandon();
    await gateway.kill();
    await scene.close();
    await rm(directory, { recursive: true });
  }
  await database.close();
});

const undo = (tables: readonly string[]) => [
  'drop table colours',
  ...tables.map((table) => `alter table ${table} drop column colour`),
  "delete from schema_migrations where name >= '9'",
];

async function readiness(url: string): Promise<string> {
  return (await fetch(`${url}/readyz`)).text();
}
