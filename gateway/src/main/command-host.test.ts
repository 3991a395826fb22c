import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startGateway } from '../../test/support/gateway/running-gateway.ts';
import { createTestDatabase } from '../../test/support/postgres/postgres.ts';
import { runCommandLine } from '../cli/run-command-line.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { PROJECT_ROOT } from '../foundation/variables.ts';
import { readMigrationNames } from '../storage/migrations/migration-file.ts';
import { createCommandHost } from './command-host.ts';
import type { EnvironmentVariables } from './config/config.ts';

const FIRST_KEY = Buffer.alloc(32, 1).toString('base64');
const SECOND_KEY = Buffer.alloc(32, 2).toString('base64');
const PLANTED = 'PlantedKey0123456789PlantedKey0123456789';

/** The system clock with short sleeps: a key rotation waits two seconds for other processes to load the new key. */
const hurriedClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };

const database = await createTestDatabase();
after(() => database.close());

async function gateway(commandLine: string, variables: EnvironmentVariables = {}) {
  const output = { stdout: '', stderr: '' };
  const host = createCommandHost({
    variables: {
      DATABASE_URL: database.connectionString,
      GATEWAY_MASTER_KEY: FIRST_KEY,
      PORT: '0',
      METRICS_PORT: '0',
      MANAGE_PORT: '0',
      ...variables,
    },
    nodeVersion: process.versions.node,
    clock: hurriedClock,
    random: systemRandom,
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    untilStopSignal: async () => {},
  });
  const words = commandLine.match(/'[^']*'|\S+/g) ?? [];
  const exitCode = await runCommandLine(
    words.map((word) => word.replace(/^'(.*)'$/, '$1')),
    host,
  );
  return { ...output, exitCode };
}

/** Runs a command and returns its JSON. The command must succeed, with nothing on standard error except an alert about itself. */
async function json(commandLine: string, variables: EnvironmentVariables = {}) {
  const { stdout, stderr, exitCode } = await gateway(`${commandLine} --json`, variables);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /^(?:Alert emergency_act: .*\n)?$/, commandLine);
  return JSON.parse(stdout);
}

test('gateway credit funds a merchant once per reference', async () => {
  const created = await json(
    `merchant create --id M1 --name Shop --key ${PLANTED} --process-url http://127.0.0.1:9000/cb`,
  );
  assert.deepEqual(Object.keys(created).sort(), ['formKey', 'key', 'merchant']);
  assert.deepEqual([created.merchant.merchantId, created.key], ['M1', PLANTED]);
  await json('merchant edit M1 --set payout_rate_limit=7 --success-url https://shop.example/ok');
  assert.equal((await json("credit M1 EUR 100 --reference r1 --reason 'first money'")).posted, true);
  assert.equal((await json("credit M1 EUR 100 --reference r1 --reason 'first money'")).posted, false);
  await json('debit M1 EUR 0.50 --reference r2 --reason x');
  const shown = await json('merchant show M1');
  assert.equal(shown.state, 'active');
  assert.deepEqual(shown.settings, { payout_rate_limit: '7' });
  assert.deepEqual(shown.balances, [{ currency: 'EUR', available: '99.50', reserved: '0.00', owed: '0.00' }]);
  assert.equal(shown.keys.length, 2, 'the key and the form key');
  assert.deepEqual((await json('verify')).ok, true);
});

test('gateway debit rejects more than the available balance, and a reference already used for other funding', async () => {
  const tooMuch = await gateway('debit M1 EUR 1000 --reference r3 --reason x');
  assert.deepEqual([tooMuch.stderr, tooMuch.exitCode], ['Only 99.50 EUR are available\n', 1]);
  const reused = await gateway('credit M1 EUR 5 --reference r1 --reason x');
  assert.match(reused.stderr, /^This reference belongs to a posting with another amount/);
});

test('gateway merchant suspends and activates a merchant and reports an unknown merchant id', async () => {
  assert.equal((await json('merchant suspend M1')).state, 'suspended');
  assert.equal((await json('merchant activate M1')).state, 'active');
  assert.deepEqual(await gateway('merchant suspend M9'), {
    stdout: '',
    stderr: 'No merchant has this id. "gateway merchant list" lists all merchants.\n',
    exitCode: 1,
  });
});

test('gateway pause lists a pause with its reason until the pause is lifted', async () => {
  await json("pause merchant M1 --reason 'under review'");
  assert.deepEqual(
    (await json('pause')).map(({ target, reason }: Record<string, string>) => [target, reason]),
    [['M1', 'under review']],
  );
  await json('resume merchant M1');
  assert.deepEqual(await json('pause'), []);
});

test('rotating a merchant’s API key returns a new key, and both keys stay valid during the overlap', async () => {
  const rotated = await json('key rotate M1 --overlap-hours 3');
  assert.notEqual(rotated.key, PLANTED);
  assert.equal((await json('merchant show M1')).keys.length, 3);
});

test('after a master key rotation, the gateway runs without the former master key', async () => {
  const both = { GATEWAY_MASTER_KEY: `${SECOND_KEY},${FIRST_KEY}` };
  const { stdout, exitCode } = await gateway('vault rotate --json', both);
  assert.deepEqual([JSON.parse(stdout).rewrapped, exitCode], [4, 0]);
  await json('merchant list', { GATEWAY_MASTER_KEY: SECOND_KEY });
  const withFirst = await gateway('merchant list');
  assert.match(withFirst.stderr, /^The master key does not open this database.*GATEWAY_MASTER_KEY.*\n$/);
  assert.equal(withFirst.exitCode, 1);
  await gateway('vault rotate', { GATEWAY_MASTER_KEY: `${FIRST_KEY},${SECOND_KEY}` });
});

test('vault rotate refuses while a running process lacks the current master key, and identifies the process', async () => {
  const report = (keys: string) =>
    database.pool.query(
      `insert into processes (process_id, role, version, host, rails, sending_rails, started_at, seen_at, master_key_ids)
       values ('old', 'api', '1', 'db-host', '{}', '[]', now(), now(), ${keys})
       on conflict (process_id) do update set master_key_ids = excluded.master_key_ids`,
    );
  try {
    await report(`array['another key']`);
    const refused = await gateway('vault rotate');
    assert.match(refused.stderr, /lack the current master key: api on db-host\. Restart/);
    assert.equal(refused.exitCode, 1);
    await report('null');
    assert.equal((await gateway('vault rotate')).exitCode, 0);
  } finally {
    await database.pool.query(`delete from processes where process_id = 'old'`);
  }
});

test('no table stores a merchant’s API key in plain text', async () => {
  const { rows: tables } = await database.pool.query("select tablename from pg_tables where schemaname = 'public'");
  assert.ok(tables.length > 10);
  for (const { tablename } of tables) {
    const { rows } = await database.pool.query(`select t::text as text from ${tablename} as t`);
    for (const { text } of rows) {
      assert.ok(!text.includes(PLANTED) && !text.includes(Buffer.from(PLANTED).toString('hex')), tablename);
    }
  }
});

test('a command lists every error of the configuration and exits with code 2', async () => {
  const { stderr, exitCode } = await gateway('merchant list', { PORT: 'x', LOG_LEVEL: 'loud', GATEWAY_TYPO: '1' });
  assert.match(
    stderr,
    /^The configuration is invalid:\n- PORT accepts .*\n- LOG_LEVEL accepts .*\n- GATEWAY_TYPO is not .*\n$/,
  );
  assert.equal(exitCode, 2);
});

const WAYFORPAY = { WAYFORPAY_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:1' };

test('gateway serve and the doctor report a gateway without any provider, and how to configure one', async () => {
  const notice = /Rails: No provider is configured, so only the sandbox .*npm run simulators.*\n/;
  assert.match((await gateway('serve')).stderr, notice);
  assert.match((await gateway('doctor')).stdout, notice);
  assert.doesNotMatch((await gateway('serve', WAYFORPAY)).stderr, notice);
});

test('the doctor reports exactly the problems of the installation', async () => {
  const { stdout, exitCode } = await gateway('doctor --json', WAYFORPAY);
  const { ok, findings } = JSON.parse(stdout);
  assert.deepEqual([ok, exitCode], [false, 1]);
  const faulty = findings.filter((finding: { ok: boolean }) => !finding.ok);
  assert.deepEqual(
    faulty.map(({ name }: { name: string }) => name),
    ['Settings', 'Rail wayforpay'],
  );
  assert.match(faulty[0].found, /^fsync is off, full_page_writes is off, synchronous_commit is off:/);
  assert.match(faulty[1].remedy, /npm run simulators/);
  for (const name of ['Node', 'Configuration', 'Database', 'Clock', 'Schema', 'Master key', 'Merchant port']) {
    assert.ok(
      findings.some((finding: { name: string }) => finding.name === name),
      name,
    );
  }
});

test('the doctor recognises each listener of a running gateway', async () => {
  const running = await startGateway({ withoutBank: true });
  const { url, opsUrl, manageUrl } = running;
  const [PORT, METRICS_PORT, MANAGE_PORT] = [url, opsUrl, manageUrl].map((each) => new URL(each).port);
  const { stdout } = await gateway('doctor', { PORT, METRICS_PORT, MANAGE_PORT });
  await running.stop();
  for (const name of ['Merchant', 'Metrics', 'Management'])
    assert.match(stdout, new RegExp(`✓ ${name} port: a running gateway serves`));
});

test('the doctor lists the pending payouts of a rail that no running process is configured for', async () => {
  await database.pool.query(
    `insert into payout_jobs (merchant_id, payout_id, rail, purpose, stage, stage_since, due_at)
     values ('M1', 'P1', 'wayforpay', 'merchant', 'queued', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z')`,
  );
  const doctor = async (variables: EnvironmentVariables) => (await gateway('doctor', variables)).stdout;
  const pending = /Payouts of wayforpay +1 pending, the oldest since 2026-01-02T03:04:05.000Z, and no process/;
  try {
    assert.match((await doctor({})).replace(/: /g, ' '), pending);
    assert.doesNotMatch(await doctor(WAYFORPAY), /Payouts of wayforpay/);
  } finally {
    await database.pool.query(`delete from payout_jobs where payout_id = 'P1'`);
  }
});

const junk = 'junk';
for (const [variable, found, content, mode, sentence] of [
  [
    'STP_PRIVATE_KEY_FILE',
    'no key',
    junk,
    0o600,
    /✗ STP_PRI\w+: \S+ has no RSA private key in PEM\n {4}→ Correct STP_/,
  ],
  [
    'STP_PRIVATE_KEY_FILE',
    'an open key',
    rsaKey(),
    0o644,
    /✗ STP_PRI\w+: \S+ is readable by other users\n {4}→ Run: chmod/,
  ],
  ['STP_PRIVATE_KEY_FILE', 'a key', rsaKey(), 0o600, /✓ STP_PRIVATE_KEY_FILE: \S+ is valid\n/],
  ['TRUSTLY_PUBLIC_KEY_FILE', 'no key', junk, 0o644, /✗ TRUSTLY_PUB\w+: \S+ has no RSA public key in PEM\n/],
  ['TRUSTLY_PRIVATE_KEY_FILE', 'another key', ecKey(), 0o600, /✗ TRUSTLY_PRI\w+: \S+ has a key that is not RSA\n/],
  ['PIX_CERTIFICATE_FILE', 'none', rsaKey(), 0o600, /✗ PIX_CER\w+: \S+ has no certificate in PEM\n {4}→ Correct PIX_/],
  ['PIX_PRIVATE_KEY_FILE', 'a key', ecKey(), 0o600, /✓ PIX_PRIVATE_KEY_FILE: \S+ is valid\n/],
  [
    'PIX_CA_FILE',
    'no file',
    undefined,
    0o600,
    /✓ PIX_CA_FILE: \S+ does not exist yet; the simulator generates it when it starts\n/,
  ],
] as const) {
  test(`the doctor checks the file of ${variable} and reports ${found}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'file.pem');
    if (content !== undefined) await writeFile(file, content, { mode });
    const rail = variable.slice(0, variable.indexOf('_'));
    const own = { [`${rail}_URL`]: 'https://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:1' };
    const { stdout } = await gateway('doctor', { ...own, [variable]: file });
    assert.match(stdout, sentence);
  });
}

function ecKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

test('the doctor adds up the connections of all processes and reports when the database allows fewer', async () => {
  const doctor = async (variables: EnvironmentVariables) => (await gateway('doctor', variables)).stdout;
  assert.match(await doctor({}), /✓ Connections: 1 × 10 = at most 10 of the database's \d+: enough for \d/);
  assert.match(await doctor({ GATEWAY_PROCESSES: '3' }), /✓ Connections: 4 × 10 = at most 40 /);
  assert.match(
    await doctor({ GATEWAY_PROCESSES: '7', DATABASE_POOL_SIZE: '50' }),
    /✗ Connections: 8 × 50 = at most 400 of .*\n {4}→ Lower DATABASE_POOL_SIZE/,
  );
});

test('the doctor lists every error of the configuration, and how to fix an invalid master key', async () => {
  const faults = JSON.parse((await gateway('doctor --json', { PORT: 'x', METRICS_PORT: 'y' })).stdout).findings;
  assert.equal(faults.filter(({ ok }: { ok: boolean }) => !ok).length, 2);
  const { stdout } = await gateway('doctor', { GATEWAY_MASTER_KEY: SECOND_KEY });
  assert.match(stdout, /✗ Master key: .*\n {4}→ Add the missing key/);
});

test('the doctor and every command report a database without the schema, and gateway migrate creates the schema', async () => {
  const empty = await createTestDatabase('empty');
  const variables = { DATABASE_URL: empty.ownerConnectionString };
  assert.match((await gateway('doctor', variables)).stdout, /✗ Schema: .*\n {4}→ Run "gateway migrate"/);
  assert.match((await gateway('merchant list', variables)).stderr, /gateway migrate/);
  assert.match((await gateway('migrate', variables)).stdout, /^✓ 0001_merchants\n/);
  assert.deepEqual(await json('migrate', variables), { applied: [], distributed: [] });
  const merchants: { merchantId: string }[] = await json('merchant list', variables);
  assert.deepEqual(
    merchants.map(({ merchantId }) => merchantId),
    ['operator'],
  );
  await empty.close();
});

test('the doctor and every command report a read-only database', async () => {
  const readOnly = await createTestDatabase();
  await readOnly.pool.query(`alter database "${readOnly.config.database}" set default_transaction_read_only = on`);
  const variables = { DATABASE_URL: readOnly.ownerConnectionString };
  const examined = await gateway('doctor', variables);
  assert.match(examined.stdout, /✗ Database: .* does not accept writes: .*\n {4}→ Point DATABASE_URL at the primary/);
  assert.equal(examined.exitCode, 1);
  const { stderr, exitCode } = await gateway('merchant list', variables);
  assert.match(stderr, /^The database does not accept writes, because it is a standby or read-only: .*\n$/);
  assert.equal(exitCode, 1);
  await readOnly.close();
});

test('the doctor and every command report a database that lacks its tables or does not allow connections', async () => {
  const broken = await createTestDatabase();
  const variables = { DATABASE_URL: broken.ownerConnectionString };
  await broken.pool.query('drop table recoveries cascade');
  const damaged = /The schema of the database is damaged \(relation "recoveries" does not exist\): restore/;
  assert.match((await gateway('doctor', variables)).stdout, damaged);
  assert.match((await gateway('after-restore status', variables)).stderr, damaged);
  const name = broken.config.database;
  await database.pool.query(`alter database "${name}" allow_connections false`);
  const closed = /The database in DATABASE_URL does not allow connections: run "alter database/;
  assert.match((await gateway('doctor', variables)).stdout, closed);
  assert.match((await gateway('merchant list', variables)).stderr, closed);
  await database.pool.query(`alter database "${name}" allow_connections true`);
  await broken.close();
});

test('the doctor and the status of a recovery report a database of unknown lineage', async () => {
  const restored = await createTestDatabase();
  const variables = { DATABASE_URL: restored.ownerConnectionString };
  await restored.pool.query(
    `insert into database_lineages values ('7/00000001', now(), 'worker 1', 'it is the first worker')`,
  );
  assert.match(
    (await gateway('doctor', variables)).stdout,
    /✗ Restore: .*server or timeline.*\n {4}→ .*after-restore not-needed/,
  );
  const status = await gateway('after-restore status', variables);
  assert.deepEqual([status.exitCode, /no payout is sent/i.test(status.stdout)], [1, true]);
  await gateway("after-restore not-needed --as Ann --reason 'a planned failover'", variables);
  assert.match((await gateway('after-restore status', variables)).stdout, /^✓ This database was never restored/);
  await restored.close();
});

test('a command reports in one sentence that the database does not offer TLS', async () => {
  const { stderr, exitCode } = await gateway('merchant list', {
    DATABASE_URL: `${database.connectionString}&sslmode=require`,
  });
  assert.match(stderr, /^The database does not offer TLS: .*DATABASE_URL\n$/);
  assert.equal(exitCode, 1);
});

test('gateway --version prints the version of the package and its newest migration', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const newest = (await readMigrationNames()).at(-1)?.slice(0, 4);
  assert.deepEqual(await gateway('--version'), {
    stdout: `gateway ${version} (schema ${newest})\n`,
    stderr: '',
    exitCode: 0,
  });
});

test('a command reports an unreachable database in one sentence', async () => {
  const { stderr, exitCode } = await gateway('merchant list', {
    DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/none',
  });
  assert.match(stderr, /^The database is unreachable .*DATABASE_URL\n$/);
  assert.ok(!stderr.includes('hunter2'));
  assert.equal(exitCode, 1);
});
