/**
 * The two database logins, created by the SQL of the docs on a separate server: each has the documented rights and no others.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import pg from 'pg';
import { codeBlocks, readPage } from '../../../generators/pages.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { openGateway } from '../../../src/main/compose/compose.ts';
import { migrateDatabase } from '../../../src/main/compose/migrate-database.ts';
import { judgeOnDatabase, ProductionRefusal } from '../../../src/main/compose/refuse-risks.ts';
import { examineInstallation } from '../../../src/main/doctor/doctor.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../src/storage/embedded/embedded-postgres.ts';
import { startGatewayProcess } from '../../support/gateway/gateway-process.ts';
import { PRODUCTION } from '../../support/gateway/production.ts';
import { configOf, freePort } from '../../support/gateway/running-gateway.ts';

const OWNER = 'gateway_owner';
const SERVE = 'gateway_serve';
/** A key with the same entropy as the first key. */
const ROTATED_KEY = Buffer.from(PRODUCTION.GATEWAY_MASTER_KEY, 'base64').reverse().toString('base64');
const RELOAD = 'select pg_reload_conf()';
const INSUFFICIENT_PRIVILEGE = '42501';

let folder: string;
let server: EmbeddedPostgres;

/** The SQL statements in the docs: the first block is for the server, the second for the new database. */
const [ofServer = '', ofDatabase = ''] = codeBlocks(readPage('docs/operations/database.md'))
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-logins-'));
  // In production, the gateway refuses a server that may lose commits.
  server = await openEmbeddedPostgres({ dataDirectory: folder, durable: true, log: () => {} });
  // The embedded server has already created a database with this name.
  await asAdministrator('drop database gateway', 'postgres');
  for (const statement of ofServer.split(';').filter((text) => text.trim() !== ''))
    await asAdministrator(statement, 'postgres');
  await asAdministrator(ofDatabase);
  await migrateDatabase(configOf({ DATABASE_URL: urlOf(OWNER) }), false, () => {});
});
after(async () => {
  await server.close();
  await rm(server.folder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

function urlOf(user: string): string {
  const { host, port } = server.connectionConfig;
  return `postgresql://${user}@/gateway?host=${encodeURIComponent(host)}&port=${port}`;
}

async function asAdministrator(statements: string, database = 'gateway'): Promise<void> {
  const client = new pg.Client({ ...server.connectionConfig, database });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

/**
 * Returns the SQLSTATE of the statement in a session that acted as gateway_app and then reset its role. Undefined if the
 * statement succeeded.
 */
async function refusalOf(statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: urlOf(SERVE), options: '-c role=gateway_app' });
  await client.connect();
  try {
    await client.query('reset role');
    await client.query(statement);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

const variables = (user: string) => ({
  ...PRODUCTION,
  DATABASE_URL: urlOf(user),
  PORT: '0',
  METRICS_PORT: '0',
  MANAGE_PORT: '0',
});

async function serveOnce(user: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const log: string[] = [];
  const config = configOf({ ...variables(user), LOG_LEVEL: 'info', ...more });
  const gateway = await openGateway(config, {
    logTo: { write: (line: string) => void log.push(line) },
    pace: { goodbyeMs: 0 },
  });
  try {
    const serving = await gateway.serve('all');
    await serving.stop();
  } finally {
    await gateway.close();
  }
  return log;
}

const doctorSays = (user: string, more: Readonly<Record<string, string>> = {}) => findingsOf(user, 'Production', more);

async function findingsOf(user: string, about: string | RegExp, more: Readonly<Record<string, string>> = {}) {
  const parts = { nodeVersion: process.versions.node, clock: systemClock, random: systemRandom };
  const findings = await examineInstallation({ ...parts, variables: { ...variables(user), ...more } });
  return findings.filter(({ name }) => (typeof about === 'string' ? name.startsWith(about) : about.test(name)));
}

it('a gateway serves in production with the documented login, and the doctor finds no excess privilege', async () => {
  await serveOnce(SERVE);
  assert.deepEqual(
    (await doctorSays(SERVE)).map(({ ok, found }) => [ok, found]),
    [[true, 'no risk is accepted']],
  );
});

for (const [what, statement] of Object.entries({
  'write the book of migrations': "insert into schema_migrations (name, run_on) values ('0099', now())",
  'change the ledger': 'update ledger_transfers set amount = amount + 1',
  'delete payouts': 'delete from payouts',
  'empty a table': 'truncate callback_attempts',
  'create a table': 'create table planted ()',
  'create a temporary table': 'create temporary table planted ()',
  'create a schema': 'create schema planted',
  'create a function': "create function planted() returns int language sql as 'select 1'",
  'put a trigger on a table':
    'create trigger planted before insert on payouts execute function suppress_redundant_updates_trigger()',
  'change a table': 'alter table payouts add column planted int',
  'read a file of the server': "select pg_read_file('/etc/hostname')",
  'load a file of the server': "copy pauses from '/etc/hostname'",
  'run a program on the server': "copy (select 1) to program 'true'",
  'let itself run programs': `grant pg_execute_server_program to ${SERVE}`,
  'become a superuser': `alter role ${SERVE} superuser`,
  'make roles': 'create role planted',
  'act as the owner': `set role ${OWNER}`,
  'give its role away': `grant gateway_app to ${OWNER}`,
})) {
  it(`after reset role the serving login cannot ${what}`, async () => {
    assert.equal(await refusalOf(statement), INSUFFICIENT_PRIVILEGE);
  });
}

it('production rejects the login that owns the tables, and lists its excess privileges', async () => {
  await assert.rejects(serveOnce(OWNER), (error) => {
    assert.ok(error instanceof ProductionRefusal);
    assert.match(
      error.message,
      /^The login gateway_owner .* owns database gateway, table .* and \d+ more.*POWERFUL_LOGIN=yes$/,
    );
    return true;
  });
  const [finding] = await doctorSays(OWNER);
  assert.deepEqual([finding?.ok, finding?.name], [false, 'Production powerful_login']);
});

it('the log of a production start and the doctor list the merchants that accept unsigned forms', async () => {
  const found = 'M1: anyone can open a form in the merchant';
  const said = async () => {
    const [finding] = await findingsOf(SERVE, 'Unsigned forms');
    const lines = (await serveOnce(SERVE)).filter((line) => line.includes('"unsigned_forms_accepted"'));
    return { finding, lines };
  };
  assert.deepEqual([(await said()).lines, (await said()).finding?.found], [[], 'no merchant accepts unsigned forms']);
  await asAdministrator(
    "insert into merchants (merchant_id, name, state, created_at) values ('M1', 'Shop', 'active', now())",
  );
  const { finding, lines } = await said();
  assert.deepEqual([finding?.ok, finding?.found.startsWith(`accepted by ${found}`)], [true, true]);
  assert.match(finding?.remedy ?? '', /--set form_sign=required$/);
  assert.equal(lines.length, 1);
  assert.ok(lines[0]?.includes(found), lines[0]);
});

it('a login whose risk was accepted serves, and the log and the doctor repeat the risk', async () => {
  const accepted = { GATEWAY_ALLOW_POWERFUL_LOGIN: 'yes' };
  for (let start = 0; start < 2; start++) {
    const lines = (await serveOnce(OWNER, accepted)).filter((line) => line.includes('"risk_accepted"'));
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? '',
      /"rule":"powerful_login","variable":"GATEWAY_ALLOW_POWERFUL_LOGIN","found":"The login gateway_owner/,
    );
  }
  const [finding] = await doctorSays(OWNER, accepted);
  assert.equal(finding?.ok, true);
  assert.match(finding?.found ?? '', /^accepted by GATEWAY_ALLOW_POWERFUL_LOGIN: The login gateway_owner/);
  const [idle] = await doctorSays(SERVE, accepted);
  assert.match(`${idle?.found}, ${idle?.remedy}`, /^is set but has no effect, Unset GATEWAY_ALLOW_POWERFUL_LOGIN$/);
});

for (const [grant, revoke, found] of [
  ['alter role gateway_serve createrole', 'alter role gateway_serve nocreaterole', /has createrole/],
  ['alter role gateway_serve superuser', 'alter role gateway_serve nosuperuser', /is a superuser/],
  ['alter role gateway_serve bypassrls', 'alter role gateway_serve nobypassrls', /has bypassrls/],
  [
    'grant pg_execute_server_program to gateway_serve',
    'revoke pg_execute_server_program from gateway_serve',
    /may act as pg_execute_server_program/,
  ],
  ['grant gateway_owner to gateway_serve', 'revoke gateway_owner from gateway_serve', /may act as gateway_owner/],
  [
    'grant gateway_app to gateway_serve with admin option',
    'revoke admin option for gateway_app from gateway_serve',
    /may grant gateway_app/,
  ],
  [
    'grant create on schema public to gateway_serve',
    'revoke create on schema public from gateway_serve',
    /may create in schema public/,
  ],
  ['grant delete on payouts to gateway_serve', 'revoke delete on payouts from gateway_serve', /may change payouts/],
] as const) {
  it(`the startup and the doctor report an excess privilege: ${grant}`, async () => {
    await asAdministrator(grant);
    try {
      const { refused } = await judgeOnDatabase(configOf(variables(SERVE)), { connectionString: urlOf(SERVE) });
      assert.match(refused.map(({ rule, found }) => `${rule}: ${found}`).join(), found);
    } finally {
      await asAdministrator(revoke);
    }
  });
}

for (const [setting, value] of [
  ['synchronous_commit', 'off'],
  ['fsync', 'off'],
] as const)
  it(`production rejects a database whose ${setting} is ${value}, and the doctor reports it`, async () => {
    const isForLogin = setting === 'synchronous_commit';
    const change = (to: string) =>
      asAdministrator(isForLogin ? `alter role ${SERVE} ${to}` : `alter system ${to}`).then(() =>
        asAdministrator(RELOAD),
      );
    await change(`set ${setting} = ${value}`);
    try {
      await assert.rejects(serveOnce(SERVE), new RegExp(`${setting} is ${value}.*GATEWAY_ALLOW_UNSAFE_COMMITS=yes$`));
      const findings = await findingsOf(SERVE, /^(?:Settings|Production)/);
      assert.deepEqual(
        findings.map(({ name, ok }) => [name, ok]),
        [
          ['Settings', false],
          ['Production unsafe_commits', false],
        ],
      );
      const accepted = { GATEWAY_ALLOW_UNSAFE_COMMITS: 'yes' };
      assert.equal((await serveOnce(SERVE, accepted)).filter((line) => line.includes('"unsafe_commits"')).length, 1);
    } finally {
      await change(`reset ${setting}`);
    }
  });

it('production rejects a current master key that a rotation retired', async () => {
  const next = ROTATED_KEY;
  const former = PRODUCTION.GATEWAY_MASTER_KEY;
  const rotating = await openGateway(configOf({ ...variables(SERVE), GATEWAY_MASTER_KEY: `${next},${former}` }));
  await rotating.operations.masterKey.rotate(() => {}).finally(() => rotating.close());
  await serveOnce(SERVE, { GATEWAY_MASTER_KEY: `${next},${former}` });
  await assert.rejects(
    serveOnce(SERVE, { GATEWAY_MASTER_KEY: `${former},${next}` }),
    /was retired on \d{4}-\d\d-\d\d: /,
  );
  const accepted = { GATEWAY_MASTER_KEY: `${former},${next}`, GATEWAY_ALLOW_RETIRED_MASTER_KEY: 'yes' };
  assert.match((await serveOnce(SERVE, accepted)).join(''), /"rule":"retired_master_key"/);
});

it('a supervisor rejects the powerful login for all its processes and logs an accepted risk once', async () => {
  const own = { ...variables(OWNER), PORT: String(await freePort()), GATEWAY_MASTER_KEY: ROTATED_KEY };
  await assert.rejects(startGatewayProcess(own, '--processes', '2'), /^The login gateway_owner .*POWERFUL_LOGIN=yes$/m);
  const gateway = await startGatewayProcess({ ...own, GATEWAY_ALLOW_POWERFUL_LOGIN: 'yes' }, '--processes', '2');
  await gateway.stop();
  assert.equal(gateway.errors().match(/"risk_accepted"/g)?.length, 1);
});
