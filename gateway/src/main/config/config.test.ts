import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import { type EnvironmentVariables, readConfig, VARIABLES } from './config.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');

function configOf(variables: EnvironmentVariables) {
  const read = readConfig(variables);
  assert.ok(read.ok, inspect(read));
  return read.value;
}

function faultsOf(variables: EnvironmentVariables): readonly string[] {
  const read = readConfig(variables);
  return read.ok ? [] : read.error;
}

test('the portal’s origin is the management port on localhost, unless MANAGE_ORIGIN sets another origin', () => {
  assert.equal(configOf({ MANAGE_PORT: '9001' }).manageOrigin, 'http://localhost:9001');
  const MANAGE_ORIGIN = 'https://manage.example.com';
  assert.equal(configOf({ MANAGE_PORT: '9001', MANAGE_ORIGIN }).manageOrigin, MANAGE_ORIGIN);
});

test('readConfig without any variable returns a development gateway on the loopback interface', () => {
  const { railSetups, ...config } = configOf({});
  assert.ok(railSetups.length > 0);
  assert.deepEqual(config, {
    environment: 'development',
    host: '127.0.0.1',
    port: 8080,
    metricsHost: '127.0.0.1',
    metricsPort: 9464,
    manageHost: '127.0.0.1',
    managePort: 8081,
    manageOrigin: 'http://localhost:8081',
    mail: null,
    openid: null,
    databaseUrl: null,
    backupDatabaseUrl: null,
    databasePoolSize: 10,
    processes: null,
    shutdownNoticeMs: 0,
    dataDir: `${PROJECT_ROOT}/data`,
    masterKey: null,
    publicUrl: null,
    trustedProxies: [],
    logLevel: 'info',
    alertUrl: null,
    runbooksUrl: null,
    mode: 'live',
    callbackExtraPorts: new Set(),
    unsealedPayouts: 'wait',
    traces: null,
    overrides: new Set(),
    acceptedRisks: [],
    rails: {
      sandbox: { successCard: '4111111111111111' },
      razorpayx: null,
      dtOne: null,
      visaDirect: null,
      mastercardSend: null,
      adyenTransfers: null,
      stp: null,
      adyen: null,
      pix: null,
      trustly: null,
      freedomPay: null,
      tokenIo: null,
      vopay: null,
      wayforpay: null,
      epoint: null,
    },
  });
});

test('readConfig treats an empty variable as unset', () => {
  assert.deepEqual(configOf({ PORT: '', DATABASE_URL: '', WAYFORPAY_URL: '' }).rails.wayforpay, null);
});

test('readConfig parses lists and addresses', () => {
  const config = configOf({
    TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    CALLBACK_EXTRA_PORTS: '8443,9443',
    PUBLIC_URL: 'https://pay.example/gateway/',
    GATEWAY_DATA_DIR: '/var/lib/gateway',
  });
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '2001:db8::1']);
  assert.deepEqual([...config.callbackExtraPorts], [8443, 9443]);
  assert.equal(config.publicUrl, 'https://pay.example/gateway');
  assert.equal(config.dataDir, '/var/lib/gateway');
});

test('readConfig lists all errors together, each with its variable and the accepted values', () => {
  const faults = faultsOf({
    GATEWAY_ENV: 'prod',
    PORT: '80800',
    LOG_LEVEL: 'loud',
    TRUSTED_PROXIES: '10.0.0.0/40',
    DATABASE_URL: 'mysql://x',
  });
  assert.deepEqual(
    faults.map((fault) => fault.split(' ')[0]),
    ['GATEWAY_ENV', 'PORT', 'DATABASE_URL', 'TRUSTED_PROXIES', 'LOG_LEVEL'],
  );
  assert.equal(faults[0], 'GATEWAY_ENV accepts development, production');
});

for (const [name, texts] of Object.entries({
  HOST: ['local host', '127.0.0.1/8'],
  PORT: ['-1', '65536', '8080.5', '0x50', ' 80'],
  DATABASE_POOL_SIZE: ['1', '0', 'ten'],
  GATEWAY_MASTER_KEY: ['secret', KEY.slice(2), `${KEY},`],
  PUBLIC_URL: ['pay.example', 'ftp://pay.example', 'https://pay.example/?a=1'],
  CALLBACK_EXTRA_PORTS: ['443;8443', '0', '70000'],
  SANDBOX_SUCCESS_CARD: ['4111-1111', '41111111111'],
  WAYFORPAY_URL: ['127.0.0.1:4080'],
  STP_CONFIRM_ABOVE: ['-1', 'off', '50,000.00', '5e4', '1.005'],
})) {
  test(`${name} rejects a value outside its format or range`, () => {
    for (const text of texts) assert.ok(faultsOf({ [name]: text })[0]?.startsWith(`${name} accepts `), text);
  });
}

test('readConfig rejects a misspelt GATEWAY_ variable and ignores other programs’ variables', () => {
  assert.match(faultsOf({ GATEWAY_MASTERKEY: KEY })[0] ?? '', /^GATEWAY_MASTERKEY is not a gateway variable/);
  assert.deepEqual(faultsOf({ PATH: '/bin', EDITOR: 'vi', PGHOST: 'elsewhere' }), []);
});

test('readConfig in production requires a master key and rejects a plain http address', () => {
  assert.match(faultsOf({ GATEWAY_ENV: 'production' })[0] ?? '', /^GATEWAY_MASTER_KEY is required in production/);
  assert.match(
    faultsOf({ ...PRODUCTION, WAYFORPAY_URL: 'http://127.0.0.1:4080' })[0] ?? '',
    /^WAYFORPAY_URL must begin with https/,
  );
  assert.match(faultsOf({ ...PRODUCTION, PUBLIC_URL: 'http://pay.example' })[0] ?? '', /^PUBLIC_URL must begin/);
  assert.equal(configOf(PRODUCTION).rails.stp, null);
  assert.match(faultsOf({ ...PRODUCTION, STP_URL: 'https://stp.example' })[0] ?? '', /^STP_URL is set, so STP_EMPRESA/);
  const wrong = faultsOf({ STP_URL: 'http://127.0.0.1:4020', STP_CLABE_PREFIX: '123' });
  assert.deepEqual(wrong, ['STP_CLABE_PREFIX accepts 6 to 14 digits that begin with 646']);
  const plain = faultsOf({ ...PRODUCTION, STP_ORDERS_URL: 'http://stp.example' });
  assert.match(plain[0] ?? '', /^STP_ORDERS_URL must begin/);
});

test('the STP order URL defaults to the query URL', () => {
  const addressesOf = (variables: EnvironmentVariables) => {
    const { stp } = configOf(variables).rails;
    return [stp?.url, stp?.ordersUrl];
  };
  assert.deepEqual(addressesOf({ STP_URL: 'http://127.0.0.1:4020' }), [
    'http://127.0.0.1:4020',
    'http://127.0.0.1:4020',
  ]);
  const both = { STP_URL: 'https://queries.example', STP_ORDERS_URL: 'https://orders.example/' };
  assert.deepEqual(addressesOf(both), ['https://queries.example', 'https://orders.example']);
});

test('STP_CONFIRM_ABOVE has a default, and can be zero but not disabled', () => {
  const STP_URL = 'http://127.0.0.1:4020';
  const above = (variables: EnvironmentVariables) => configOf({ STP_URL, ...variables }).rails.stp?.confirmAbove;
  assert.equal(above({}), 5_000_000n);
  assert.equal(above({ STP_CONFIRM_ABOVE: '' }), 5_000_000n);
  assert.equal(above({ STP_CONFIRM_ABOVE: '0' }), 0n);
  assert.equal(above({ STP_CONFIRM_ABOVE: '1000.5' }), 100_050n);
});

test('an unreadable master key in production is reported once', () => {
  assert.equal(faultsOf({ ...PRODUCTION, GATEWAY_MASTER_KEY: 'short' }).length, 1);
});

test('readConfig rejects a metrics port equal to the public port', () => {
  assert.match(faultsOf({ PORT: '9464' })[0] ?? '', /^METRICS_PORT must differ/);
  assert.deepEqual(faultsOf({ PORT: '0', METRICS_PORT: '0' }), []);
  assert.equal(faultsOf({ PORT: 'x', METRICS_PORT: 'y' }).length, 2);
});

test('neither the printed configuration nor an error shows a secret', () => {
  const secrets = {
    GATEWAY_MASTER_KEY: KEY,
    DATABASE_URL: 'postgresql://u:hunter2@db/gateway',
    WAYFORPAY_URL: 'http://127.0.0.1:4080',
    WAYFORPAY_SECRET_KEY: 'hunter3',
  };
  const config = configOf(secrets);
  const printed = `${inspect(config, { depth: 9, showHidden: true })}${JSON.stringify(config)}`;
  const faults = faultsOf({ GATEWAY_MASTER_KEY: 'hunter4', DATABASE_URL: 'hunter5', PORT: 'hunter6' }).join();
  for (const planted of [KEY, 'hunter2', 'hunter3']) assert.ok(!printed.includes(planted));
  assert.ok(!faults.includes('hunter'));
});

test('the configuration is frozen after readConfig returns it', () => {
  const config = configOf({ WAYFORPAY_URL: 'http://127.0.0.1:4080' });
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.rails.wayforpay ?? {}, { url: '' }), TypeError);
});

test('every variable accepts its default value', () => {
  for (const [name, { default: fallback, read }] of Object.entries(VARIABLES)) {
    const texts = typeof fallback === 'object' ? Object.values(fallback ?? {}) : [fallback];
    for (const text of texts) assert.ok(text === null || read(text) !== undefined, name);
  }
});
