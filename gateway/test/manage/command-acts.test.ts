/** The commands that run on the server: the test runs every command, and each that writes must leave an audit log entry. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { type Endpoint, isAct } from '../../contract/parts/endpoint.ts';
import { readCommands } from '../../generators/tables/command-line.ts';
import type { CommandHost } from '../../src/cli/command-host.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { type Gateway, openGateway } from '../../src/main/compose/compose.ts';
import { emergencyCaller, inProcess } from '../../src/main/manage-transport.ts';
import { configOf } from '../support/gateway/running-gateway.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';

/** These are not actions on the gateway's data: docs/operations/cli.md lists them as commands without an endpoint. */
const OUTSIDE = [
  'serve',
  'migrate',
  'doctor',
  'signature explain',
  'listen',
  'trigger',
  'restore',
  ...['state', 'advance', 'reset', 'bank', 'addresses'].map((name) => `sandbox ${name}`),
  ...['take', 'follow', 'list', 'prove', 'proofs'].map((name) => `backup ${name}`),
];

/** The arguments of each command, in the order in which the commands run. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'merchant create': '--id M1 --name One --process-url https://m.example/p',
  'merchant edit': 'M1 --name Two',
  'merchant show': 'M1',
  'merchant list': '',
  'merchant activate': 'M1',
  'merchant suspend': 'M1',
  conform: 'http://127.0.0.1:1/ --key-file {folder}/key --merchant M1 --record',
  'key rotate': 'M1 --purpose api',
  credit: 'M1 EUR 100 --reference r1 --reason opening',
  debit: 'M1 EUR 10 --reference r2 --reason closing',
  'ledger balance': 'M1 --at 2026-01-01',
  'ledger list': '--account available',
  'ledger show': 'M1 payout/P1/reserve',
  'ledger trial-balance': '--at 2026-01-01',
  'ledger volumes': '--since 2026-01-01 --until 2026-01-02',
  // The gateway creates its first key when the keys are first read.
  'statement rotate-key': '',
  'statement keys': 'M1',
  'statement export': 'M1 EUR --since 2026-01-01 --until 2026-01-02 --format csv --output {folder}/statement.csv',
  'statement verify': '{folder}/statement.csv',
  'payout list': '',
  'payout overdue': '',
  'payout show': 'M1 A1',
  'payout methods': 'M1',
  'payout create': 'M1 9 --fields {folder}/payout.json --id A1',
  'batch upload': 'M1 {folder}/payouts.csv',
  'batch list': 'M1',
  'batch show': 'M1 none',
  'batch rows': 'M1 none',
  'batch submit': 'M1 none',
  'batch cancel': 'M1 none --reason mistake',
  'payout awaiting': '',
  'payout approve': 'M1 A1 --reason urgent',
  'payout cancel': 'M1 A1 --reason mistake',
  'payout ask': 'M1 A1',
  'payout resolve': 'M1 A1 --outcome executed --evidence letter',
  'deposit list': '',
  'deposit payments': '',
  'deposit transfers': '',
  'deposit refunds': '',
  'deposit show': 'M1 O1',
  'deposit overdue': '',
  'deposit end-attempt': 'M1 1 --reason letter',
  'deposit held': '',
  'deposit resolve': 'stp/1 --reason match',
  'deposit return': 'stp/1 --reason unknown',
  'deposit refund': 'M1 1 --reason complaint',
  find: 'A1',
  'request list': '',
  'request show': 'M1 none',
  pause: 'merchant M1 --reason risk',
  resume: 'merchant M1',
  'callback failing': '',
  'callback list': '',
  'callback show': 'M1 C1',
  'callback resend': 'M1 --undelivered',
  'callback test': 'M1',
  'process list': '',
  'queue list': '',
  top: '--once --metrics http://127.0.0.1:1/metrics',
  'rail list': '',
  'rail show': 'stp',
  'rail exchanges': 'stp P1',
  'rail hours': 'stp always',
  'rail set-float-threshold': 'stp MXN 100',
  'route list': '',
  'route set': '93 stp',
  'route remove': '93 stp',
  reconcile: 'stp 2026-01-01',
  'difference list': '',
  'difference days': '--since 2026-01-01 --until 2026-01-02',
  'difference show': 'stp 2026-01-01 amount X1',
  'difference resolve': 'stp 2026-01-01 amount X1 --note examined',
  'token create': '--name script --scopes payouts:read',
  'token list': '',
  'token revoke': 'none',
  'person list': '',
  'person invite': '--email ann@example.com --role administrator --reason first',
  'person role': 'ben@example.com --role administrator --reason same',
  'person end-sessions': 'ben@example.com --reason lost',
  'person invitations': '',
  'person revoke-invitation': 'none',
  'person remove': 'ben@example.com --reason left',
  'person reset': 'ben@example.com --reason lost',
  'audit list': '',
  'audit verify': '',
  'event list': '',
  'vault rotate': '',
  'vault status': '',
  verify: '',
  'after-restore begin': '--reason backup',
  'after-restore status': '',
  'after-restore compare': '',
  'after-restore release': 'M1 A1 --evidence letter',
  'after-restore complete': '--force test',
  'after-restore not-needed': '--reason failover',
};

/** The actions that succeed in this test. The others are rejected because their object does not exist. */
const DONE = [
  'after-restore begin',
  'after-restore compare',
  'after-restore complete',
  'after-restore not-needed',
  'batch upload',
  'callback resend',
  'callback test',
  'credit',
  'debit',
  'key rotate',
  'merchant activate',
  'merchant create',
  'merchant edit',
  'merchant suspend',
  'pause',
  'person end-sessions',
  'person invite',
  'person reset',
  'person role',
  'rail exchanges',
  'resume',
  'statement export',
  'statement rotate-key',
  'token create',
  'vault rotate',
];

let database: TestDatabase;
let gateway: Gateway;
let folder: string;
let host: CommandHost;
const alerts: string[] = [];
let said = '';

const ACTOR = 'emergency ann@server null';

before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commands-'));
  await writeFile(join(folder, 'key'), 'a-key\n');
  await writeFile(join(folder, 'payouts.csv'), 'method,account,amount,currency\n9,4111111111111111,1.00,EUR\n');
  await writeFile(join(folder, 'payout.json'), JSON.stringify({ account: '4111111111111111', amount: '1.00' }));
  await database.pool.query(`
    insert into people (person_id, email, name, created_at) values ('ben', 'ben@example.com', 'Ben', now());
    insert into memberships (person_id, role, since) values ('ben', 'administrator', now())`);
  const clock = { ...systemClock, sleep: async () => {} };
  gateway = await openGateway(configOf({ DATABASE_URL: database.connectionString, PORT: '0' }), {
    clock,
    logTo: { write: () => {} },
    watch: { onEmergencyAct: (act, _object, actor) => void alerts.push(`${act} by ${actor}`) },
  });
  const caller = emergencyCaller('ann@server', undefined);
  const app = await gateway.manageApi({ caller, onInternalError: () => {} });
  const api = { ...inProcess(app, () => undefined), newKey: systemRandom.uuid };
  const stderr = (text: string) => {
    said += text;
  };
  const nothing = async () => assert.fail('an action outside of the management API');
  host = {
    open: async () => ({ api, close: async () => {} }),
    serve: nothing,
    migrate: nothing,
    examineInstallation: nothing,
    backups: () => assert.fail('an action outside of the management API'),
    untilStopSignal: nothing,
    examineRequest: () => [],
    playReceiver: async () => [],
    deliverSigned: async () => ({ status: null, reply: '', latencyMs: 0, fault: null }),
    orderSandbox: async () => ({}),
    clock: systemClock,
    version: async () => '',
    explain: String,
    stdout: () => {},
    stderr,
  };
});
after(async () => {
  await gateway.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** Returns a hash over every row of every table except the audit log. */
async function fingerprint(): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename not in ('audit_entries', 'audit_heads', 'act_answers')`,
  );
  const parts = tables.map(
    ({ name }) => `select coalesce(sum(hashtextextended(row::text, 0)), 0) as sum from ${name} row`,
  );
  const { rows } = await database.pool.query<{ all: string }>(
    `select string_agg(sum::text, ' ') as all from (${parts.join(' union all ')}) sums`,
  );
  return rows[0]?.all ?? '';
}

const entriesOf = async () =>
  (
    await gateway.operations.audit.list({
      merchantId: null,
      act: null,
      object: null,
      actor: null,
      from: null,
      to: null,
      before: null,
      limit: 1_000,
    })
  ).map(({ act, phase, actor, address }) => ({ act, phase, who: `${actor.kind} ${actor.name} ${address}` }));

const endpoints: readonly (readonly [string, Endpoint])[] = Object.entries(ENDPOINTS);

const isRecordedReading = ({ files, showsPersonal }: Endpoint) => files !== undefined || showsPersonal === 'always';

describe('the command line on the server', () => {
  it('the command line on the server leaves an audit entry for every action and export', async () => {
    const commands = (await readCommands()).map(({ name }) => name.replace(/ [[<].*$/, ''));
    assert.deepEqual(Object.keys(ARGUMENTS).sort(), commands.filter((name) => !OUTSIDE.includes(name)).sort());
    const done: string[] = [];
    const faults: string[] = [];
    for (const [command, given] of Object.entries(ARGUMENTS)) {
      const [tables, entries] = [await fingerprint(), await entriesOf()];
      said = '';
      const words = `${command} ${given.replace('{folder}', folder)}`.trim().split(' ');
      const exitCode = await runCommandLine(words, host);
      const added = (await entriesOf()).slice(0, -entries.length || undefined);
      const acts = endpoints.filter(([, endpoint]) => endpoint.command === command && isAct(endpoint));
      const readings = endpoints.filter(([, endpoint]) => endpoint.command === command && isRecordedReading(endpoint));
      const wrote = (await fingerprint()) !== tables || acts.length > 0;
      const isRecorded =
        added.length > 0 &&
        added.every(({ act, who }) => who === ACTOR && [...acts, ...readings].some(([name]) => name === act));
      if (exitCode === 2 || (wrote || added.length > 0 ? !isRecorded : false))
        faults.push(`${command}: ${said}${JSON.stringify(added)}`);
      if (added.some(({ phase }) => phase === 'done')) done.push(command);
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(done.sort(), DONE);
  });

  it('the command line on the server raises an alert for a dangerous action without a second person', () => {
    assert(alerts.includes('funds.credit by ann@server'));
    assert(alerts.includes('vault.rotate by ann@server'));
    assert(!alerts.some((alert) => alert.startsWith('callbacks.')));
  });
});
