import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { PRODUCTION, RANDOM_LOOKING_KEY } from '../../../test/support/gateway/production.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres.ts';
import { createKeyring, createMasterKey } from '../../domain/vault/create-vault.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { refuseRisks } from '../compose/refuse-risks.ts';
import { type EnvironmentVariables, judgeConfig, readConfig } from '../config/config.ts';
import { examineInstallation } from '../doctor/doctor.ts';
import { acceptedFindings, examineProduction } from '../doctor/doctor-production.ts';
import { OVERRIDE_NAMES } from './overrides.ts';
import { PRODUCTION_RULES } from './production-rules.ts';
import { judgeDatabase, NO_RISK } from './risks.ts';

const hex = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('hex');
const repeated = (...pattern: number[]) =>
  hex(Array.from({ length: 32 }, (_, index) => pattern[index % pattern.length] ?? 0));
const HALF = RANDOM_LOOKING_KEY.slice(0, 20);

const ADYEN = {
  ADYEN_URL: 'https://checkout.adyen.example/v72',
  ADYEN_API_KEY: 'key',
  ADYEN_MERCHANT_ACCOUNT: 'ShopECOM',
  ADYEN_HMAC_KEYS: 'ab'.repeat(32),
};
const STP = {
  PUBLIC_URL: 'https://pay.example',
  STP_URL: 'https://stp.example',
  STP_EMPRESA: 'SHOP',
  STP_CLABE_PREFIX: '6461801234',
  STP_BENEFICIARY: 'Shop',
  STP_PRIVATE_KEY_FILE: '/etc/gateway/stp.pem',
};
const LISTENING = { PORT: '0', METRICS_PORT: '0', MANAGE_PORT: '0' };
const PROXY = { TRUSTED_PROXIES: '10.0.0.4' };

/** By rule: variables that break it, and similar variables that do not. */
const OVER_VARIABLES: Readonly<Record<string, { broken: EnvironmentVariables[]; fine: EnvironmentVariables[] }>> = {
  weak_master_key: {
    broken: [
      repeated(0),
      repeated(0xff),
      repeated(0xab),
      repeated(1, 2, 3, 4),
      hex(Array(32).keys()),
      hex(Array.from({ length: 32 }, (_, index) => (index * 7) & 0xff)),
      Buffer.from('a long passphrase of 32 letters.').toString('base64'),
      Buffer.from(randomBytes(16).toString('hex')).toString('base64'),
      Buffer.from(HALF + HALF, 'base64')
        .toString('hex')
        .slice(0, 60)
        .padEnd(64, '0')
        .slice(0, 32)
        .repeat(2),
      `${repeated(0)},${RANDOM_LOOKING_KEY}`,
    ].map((key) => ({ GATEWAY_MASTER_KEY: key })),
    fine: [
      ...Array.from({ length: 200 }, () => ({ GATEWAY_MASTER_KEY: randomBytes(32).toString('base64') })),
      // The former key, which opens the values that it sealed until the rotation is complete.
      { GATEWAY_MASTER_KEY: `${RANDOM_LOOKING_KEY},${repeated(0)}` },
    ],
  },
  plain_http: {
    broken: [{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '10.0.0.5' }, { HOST: 'gateway.internal' }],
    fine: [{ HOST: '127.0.0.1' }, { HOST: '::1' }, { HOST: 'localhost' }, { HOST: '0.0.0.0', ...PROXY }],
  },
  open_metrics: {
    broken: [
      { METRICS_HOST: '0.0.0.0' },
      { METRICS_HOST: '::' },
      { METRICS_HOST: '203.0.113.9' },
      { METRICS_HOST: 'metrics' },
    ],
    fine: [{ METRICS_HOST: '10.1.2.3' }, { METRICS_HOST: 'fd00::1' }, { METRICS_HOST: 'localhost' }],
  },
  no_public_url: {
    broken: [ADYEN, { ...STP, PUBLIC_URL: '', STP_ALLOW_LIST: '203.0.113.16/28' }],
    fine: [{ ...ADYEN, PUBLIC_URL: 'https://pay.example' }, {}],
  },
  broad_allow_list: {
    broken: ['0.0.0.0/0', '::/0', '::ffff:0:0/96', '0.0.0.0/1,128.0.0.0/1', '203.0.0.0/8'].map((STP_ALLOW_LIST) => ({
      ...STP,
      STP_ALLOW_LIST,
    })),
    fine: ['203.0.113.16/28', '10.0.0.0/8', '203.0.0.0/16'].map((STP_ALLOW_LIST) => ({ ...STP, STP_ALLOW_LIST })),
  },
  broad_proxies: {
    broken: ['0.0.0.0/1', '200.0.0.0/7', '2000::/3', '128.0.0.0/2,64.0.0.0/2'].map((list) => ({
      TRUSTED_PROXIES: list,
    })),
    // The networks of large CDNs, and of any internal network.
    fine: ['104.16.0.0/13,172.64.0.0/13,2606:4700::/32,2a06:98c0::/29', '10.0.0.0/8,fc00::/7'].map((list) => ({
      TRUSTED_PROXIES: list,
    })),
  },
  service_ports: {
    broken: ['22', '25', '6379', '80', '8443,5432', '11211', '27017'].map((list) => ({ CALLBACK_EXTRA_PORTS: list })),
    fine: [{ CALLBACK_EXTRA_PORTS: '443,8443,9443,10443' }],
  },
  embedded_database: { broken: [{ DATABASE_URL: '' }], fine: [{}] },
  plain_database: {
    broken: [
      '',
      '?sslmode=disable',
      '?sslmode=no-verify',
      '?sslmode=require&uselibpqcompat=true',
      // Verifies the authority but not the server's name, so any server with a certificate of that authority passes.
      `?sslmode=verify-ca&uselibpqcompat=true&sslrootcert=${import.meta.filename}`,
    ].map((options) => ({ DATABASE_URL: `postgresql://gateway_serve:p@db.internal/gateway${options}` })),
    fine: [
      'postgresql://gateway_serve:p@db.internal/gateway?sslmode=verify-full',
      'postgresql://gateway_serve:p@localhost/gateway',
      'postgresql://gateway_serve@/gateway?host=%2Frun%2Fpostgresql',
      'postgresql://gateway_serve@[::1]/gateway',
    ].map((DATABASE_URL) => ({ DATABASE_URL })),
  },
};

const WELL = {
  login: { login: 'gateway_serve', excess: [] },
  unsafeSettings: [],
  masterKeyId: 'ab12',
  retiredOn: null,
};

/** Like OVER_VARIABLES, for facts from the database. */
const OVER_DATABASE = {
  retired_master_key: { broken: { ...WELL, retiredOn: '2026-11-20' } },
  powerful_login: { broken: { ...WELL, login: { login: 'owner', excess: ['has createrole', 'owns table payouts'] } } },
  unsafe_commits: { broken: { ...WELL, unsafeSettings: ['fsync is off'] } },
};

const refusedRules = (variables: EnvironmentVariables) => {
  const judged = judgeConfig({ ...PRODUCTION, ...variables });
  assert.ok(judged.ok, inspect(judged));
  return judged.value.refused.map(({ rule }) => rule);
};

for (const rule of PRODUCTION_RULES) {
  describe(`the production rule ${rule.name}`, () => {
    if (rule.over === 'configuration') {
      const { broken, fine } = OVER_VARIABLES[rule.name] ?? { broken: [], fine: [] };

      it(`the production rule ${rule.name} separates unsafe cases from safe cases`, () => {
        assert.ok(broken.length > 0 && fine.length > 0);
        for (const variables of broken) {
          assert.deepEqual(refusedRules(variables), [rule.name], JSON.stringify(variables));
          const read = readConfig({ ...PRODUCTION, ...variables });
          assert.ok(!read.ok);
          assert.match(read.error.join('\n'), new RegExp(`^[A-Z][^\n]+: [^\n]+; [^\n]+ by ${rule.override}=yes$`));
        }
        for (const variables of fine) assert.deepEqual(refusedRules(variables), [], JSON.stringify(variables));
      });

      it(`the production rule ${rule.name} applies in production only`, () => {
        for (const variables of broken) {
          const judged = judgeConfig({ ...PRODUCTION, ...variables, GATEWAY_ENV: 'development' });
          assert.ok(judged.ok);
          assert.deepEqual([judged.value.refused, judged.value.config.acceptedRisks], [[], []]);
        }
      });

      it(`the production rule ${rule.name} is overridden by its variable and by no other`, () => {
        const [variables = {}] = broken;
        const { [rule.override]: _, ...others } = Object.fromEntries(OVERRIDE_NAMES.map((name) => [name, 'yes']));
        assert.deepEqual(refusedRules({ ...variables, ...others }), [rule.name]);
        const read = readConfig({ ...PRODUCTION, ...variables, [rule.override]: 'yes' });
        assert.ok(read.ok);
        assert.deepEqual(
          read.value.acceptedRisks.map(({ rule: name }) => name),
          [rule.name],
        );
      });
    } else {
      const { broken } = OVER_DATABASE[rule.name as keyof typeof OVER_DATABASE];

      it(`the production rule ${rule.name} rejects an unsafe database, unless its own variable overrides it`, () => {
        assert.deepEqual(
          judgeDatabase(broken, new Set()).refused.map(({ rule: name }) => name),
          [rule.name],
        );
        const others = new Set(OVERRIDE_NAMES.filter((name) => name !== rule.override));
        assert.equal(judgeDatabase(broken, others).refused.length, 1);
        const { refused, accepted } = judgeDatabase(broken, new Set([rule.override]));
        assert.deepEqual([refused.length, accepted.length], [0, 1]);
        assert.deepEqual(judgeDatabase(WELL, new Set()), NO_RISK);
      });
    }
  });
}

describe('an accepted risk', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    const masterKeyId = createKeyring([createMasterKey(Buffer.from(RANDOM_LOOKING_KEY, 'base64'))]).current().id;
    await database.pool.query(`insert into retired_master_keys values ($1, '2026-11-20')`, [masterKeyId]);
  });
  after(() => database.close());

  // The server of the tests loses commits, and its login owns it.
  const ofServer = { GATEWAY_ALLOW_UNSAFE_COMMITS: 'yes', GATEWAY_ALLOW_POWERFUL_LOGIN: 'yes' };
  const ofKey = { GATEWAY_ALLOW_RETIRED_MASTER_KEY: 'yes' };
  for (const { name, override } of PRODUCTION_RULES)
    it(`the startup log and the doctor report the risk ${name} that ${override} accepts`, async () => {
      const [broken = {}] = OVER_VARIABLES[name]?.broken ?? [];
      const read = readConfig({ ...PRODUCTION, ...broken, ...ofServer, ...ofKey, [override]: 'yes' });
      assert.ok(read.ok, inspect(read));
      const logged: Readonly<Record<string, unknown>>[] = [];
      await refuseRisks(read.value, database.config, (event, fields) => void logged.push({ event, ...fields }));
      const [line, ...more] = logged.filter(({ rule }) => rule === name);
      assert.deepEqual([line?.['event'], line?.['variable'], more], ['risk_accepted', override, []]);
      const findings = [...acceptedFindings(read.value), ...(await examineProduction(read.value, database.config))];
      assert.deepEqual(
        findings.filter((finding) => finding.name === `Production ${name}`).map(({ ok, found }) => [ok, found]),
        [[true, `accepted by ${override}: ${line?.['found']}`]],
      );
    });

  it('the doctor reports accepted risks of variables and of the database together', async () => {
    const variables = {
      DATABASE_URL: database.ownerConnectionString,
      CALLBACK_EXTRA_PORTS: '22',
      ...ofServer,
      ...ofKey,
    };
    const accepted = { ...PRODUCTION, ...variables, GATEWAY_ALLOW_SERVICE_PORTS: 'yes' };
    const parts = { nodeVersion: process.versions.node, clock: systemClock, random: systemRandom };
    const findings = await examineInstallation({ ...parts, variables: { ...accepted, ...LISTENING } });
    assert.deepEqual(
      findings.flatMap(({ name, found }) => (found.startsWith('accepted by GATEWAY_ALLOW') ? name : [])).sort(),
      ['powerful_login', 'retired_master_key', 'service_ports', 'unsafe_commits'].map((rule) => `Production ${rule}`),
    );
  });
});

it('every tested risk has a production rule, and every rule has one override', () => {
  const cases = [...Object.keys(OVER_VARIABLES), ...Object.keys(OVER_DATABASE)];
  assert.deepEqual(cases.sort(), PRODUCTION_RULES.map(({ name }) => name).sort());
  assert.deepEqual(PRODUCTION_RULES.map(({ override }) => override).sort(), [...OVERRIDE_NAMES].sort());
});

it('a production override accepts only the value yes', () => {
  const read = readConfig({ ...PRODUCTION, HOST: '0.0.0.0', GATEWAY_ALLOW_PLAIN_HTTP: 'true' });
  assert.ok(!read.ok);
  assert.match(read.error.join('\n'), /^GATEWAY_ALLOW_PLAIN_HTTP accepts yes$/m);
});

it('TRUSTED_PROXIES with every address is rejected in every environment and spelling, and no override accepts it', () => {
  for (const list of ['0.0.0.0/0', '::/0', '::ffff:0:0/96', '10.0.0.1,0.0.0.0/0']) {
    for (const environment of [{}, PRODUCTION, { ...PRODUCTION, GATEWAY_ALLOW_BROAD_PROXIES: 'yes' }]) {
      const read = readConfig({ ...environment, TRUSTED_PROXIES: list });
      assert.ok(!read.ok, list);
      assert.match(
        read.error.join('\n'),
        /^TRUSTED_PROXIES must not contain every address: .*List the addresses of your proxies\.$/,
      );
    }
  }
});

it('readConfig reports invalid variables and broken production rules together', () => {
  const read = readConfig({ ...PRODUCTION, PORT: 'x', HOST: '0.0.0.0' });
  assert.ok(!read.ok);
  assert.deepEqual([read.error.length, read.error[0]?.slice(0, 4), read.error[1]?.slice(0, 4)], [2, 'PORT', 'HOST']);
});

it('production rejects a process that does not verify certificates, without an override', () => {
  const overrides = Object.fromEntries(OVERRIDE_NAMES.map((name) => [name, 'yes']));
  const read = readConfig({ ...PRODUCTION, ...overrides, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  assert.ok(!read.ok);
  assert.match(read.error.join('\n'), /^NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: [^\n]+$/);
  for (const variables of [{ NODE_TLS_REJECT_UNAUTHORIZED: '1' }, { NODE_TLS_REJECT_UNAUTHORIZED: '' }])
    assert.ok(readConfig({ ...PRODUCTION, ...variables }).ok);
  assert.ok(readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }).ok, 'development may');
});

it('a DATABASE_URL with session options is rejected in every environment', () => {
  for (const query of ['options=-c%20statement_timeout=0', 'sslmode=disable&%6fptions=-c%20role=owner', 'options='])
    for (const environment of [{}, PRODUCTION]) {
      const read = readConfig({ ...environment, DATABASE_URL: `postgresql://gateway@127.0.0.1/gateway?${query}` });
      assert.ok(!read.ok, query);
      assert.match(read.error.join('\n'), /^DATABASE_URL must not have options: [^\n]+$/);
    }
});
