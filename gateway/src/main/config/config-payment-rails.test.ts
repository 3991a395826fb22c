/**
 * The rails of the hosted form, as the environment configures them. In development they use known credentials; production
 * rejects those.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import { type EnvironmentVariables, readConfig } from './config.ts';

const SIMULATORS = {
  ADYEN_URL: 'http://127.0.0.1:4030/v72',
  PIX_URL: 'https://127.0.0.1:4050/api/v2',
  TRUSTLY_URL: 'http://127.0.0.1:4070/api/1',
};

function railsOf(variables: EnvironmentVariables) {
  const read = readConfig(variables);
  assert.ok(read.ok, inspect(read));
  return read.value.rails;
}

function faultsOf(variables: EnvironmentVariables): readonly string[] {
  const read = readConfig(variables);
  return read.ok ? [] : read.error;
}

describe('the payment rails in development', () => {
  const { adyen, pix, trustly } = railsOf(SIMULATORS);
  assert.ok(adyen && pix && trustly);
  const simulators = readAllSettings({}, PROJECT_ROOT);

  it('each payment rail is off without its URL, and simulated in development with it', () => {
    for (const name of ['ADYEN_URL', 'PIX_URL', 'TRUSTLY_URL'] as const) {
      const on = Object.values(railsOf({ [name]: SIMULATORS[name] })).filter((rail) => rail && 'simulated' in rail);
      assert.deepEqual(
        on.map((rail) => rail && 'simulated' in rail && rail.simulated),
        [true],
      );
    }
  });

  it('the Adyen rail in development matches the credentials of Adyen’s simulator', () => {
    const { port, apiKey, merchantAccount, hmacKey } = simulators.adyen;
    assert.equal(adyen.url, `http://127.0.0.1:${port}/v72`);
    assert.deepEqual(
      [adyen.apiKey.reveal(), adyen.merchantAccount, ...adyen.hmacKeys.map((key) => key.reveal())],
      [apiKey, merchantAccount, hmacKey],
    );
  });

  it('the Pix rail in development matches the credentials of the bank’s simulator', () => {
    const { port, clientId, clientSecret, chave, receiver, certificateFolder, webhookUrl } = simulators.pix;
    assert.deepEqual(
      [pix.url, pix.tokenUrl],
      [`https://127.0.0.1:${port}/api/v2`, `https://127.0.0.1:${port}/oauth/token`],
    );
    assert.deepEqual(
      [pix.clientId, pix.clientSecret.reveal(), pix.chave, pix.city],
      [clientId, clientSecret, chave, receiver.city],
    );
    const files = ['client-certificate.pem', 'client-key.pem', 'ca.pem'].map((file) => `${certificateFolder}/${file}`);
    assert.deepEqual([pix.certificateFile, pix.privateKeyFile, pix.caFile], files);
    assert.equal(pix.webhookUrl, webhookUrl);
  });

  it('the Trustly rail in development matches the credentials of Trustly’s simulator', () => {
    const { port, username, password, clientKeyPath, publicKeyPath } = simulators.trustly;
    assert.equal(trustly.url, `http://127.0.0.1:${port}/api/1`);
    assert.deepEqual([trustly.username, trustly.password.reveal()], [username, password]);
    assert.equal(trustly.privateKeyFile.replace('private-key', 'public-key'), clientKeyPath);
    assert.equal(trustly.publicKeyFile, publicKeyPath);
  });
});

describe('the notification URL of the payment rails', () => {
  const addressOf = (variables: EnvironmentVariables) =>
    railsOf({ TRUSTLY_URL: SIMULATORS.TRUSTLY_URL, ...variables }).trustly?.notificationUrl;

  it('the notification URL is the public URL, or else the address that the gateway listens on', () => {
    assert.equal(
      addressOf({ PUBLIC_URL: 'https://pay.example/g' }),
      'https://pay.example/g/rail-notifications/trustly',
    );
    assert.equal(addressOf({ PORT: '8181' }), 'http://127.0.0.1:8181/rail-notifications/trustly');
    assert.equal(addressOf({ HOST: '0.0.0.0' }), 'http://127.0.0.1:8080/rail-notifications/trustly');
    assert.equal(addressOf({ HOST: '::' }), 'http://[::1]:8080/rail-notifications/trustly');
  });

  it('readConfig requires PUBLIC_URL for Pix and Trustly when the port is not fixed', () => {
    for (const name of ['PIX_URL', 'TRUSTLY_URL'] as const) {
      const fault = `${name} is set, so PUBLIC_URL must be set too: the provider calls the gateway at this URL`;
      assert.deepEqual(faultsOf({ PORT: '0', [name]: SIMULATORS[name] }), [fault]);
    }
  });
});

describe('the payment rails in production', () => {
  const SECURE = {
    ADYEN_URL: 'https://live.example/checkout/v72',
    PIX_URL: 'https://pix.example/api/v2',
    TRUSTLY_URL: 'https://api.example/1',
  };
  const OWN = {
    ...PRODUCTION,
    PUBLIC_URL: 'https://pay.example',
    ADYEN_API_KEY: 'a',
    ADYEN_MERCHANT_ACCOUNT: 'Account',
    ADYEN_HMAC_KEYS: `${'ab'.repeat(32)},${'cd'.repeat(32)}`,
    PIX_CLIENT_ID: 'c',
    PIX_CLIENT_SECRET: 's',
    PIX_CHAVE: 'pix@example.com',
    PIX_CITY: 'Recife',
    PIX_CERTIFICATE_FILE: '/etc/gateway/pix.pem',
    PIX_PRIVATE_KEY_FILE: '/etc/gateway/pix-key.pem',
    PIX_ALLOW_LIST: '203.0.113.0/28',
    TRUSTLY_USERNAME: 'u',
    TRUSTLY_PASSWORD: 'p',
    TRUSTLY_PRIVATE_KEY_FILE: '/etc/gateway/trustly.pem',
    TRUSTLY_PUBLIC_KEY_FILE: '/etc/gateway/trustly-public.pem',
    ...SECURE,
  };

  it('no payment rail is simulated in production with the operator’s own credentials', () => {
    const { adyen, pix, trustly } = railsOf(OWN);
    assert.deepEqual(
      [adyen?.simulated, pix?.simulated, trustly?.simulated, adyen?.hmacKeys.length, pix?.caFile],
      [false, false, false, 2, null],
    );
  });

  it('production requires every credential and does not use a development default', () => {
    const allFaults = faultsOf({ ...PRODUCTION, ...SECURE });
    const faults = allFaults.map((fault) => fault.replace(/(?<=^PUBLIC_URL is not set), and .*/, ''));
    const missing = faults.flatMap((fault) => fault.match(/[A-Z]+_[A-Z_]+(?=,| or| must| is not)/g) ?? []);
    const optional = ['PIX_WEBHOOK_CERTIFICATES'];
    const needed = Object.keys(OWN).filter((name) => !Object.hasOwn({ ...PRODUCTION, ...SECURE }, name));
    assert.deepEqual(new Set(missing.filter((name) => !optional.includes(name))), new Set(needed));
  });

  it('production rejects the development defaults as secrets', () => {
    for (const [name, text] of Object.entries({
      ADYEN_API_KEY: 'adyen-api-key',
      ADYEN_HMAC_KEYS: '0123456789ABCDEF'.repeat(4),
      PIX_CLIENT_SECRET: 'pix-client-secret',
      TRUSTLY_PASSWORD: 'trustly-password',
    })) {
      const fault = `${name} must not be the default of development in production: it is public`;
      assert.deepEqual(faultsOf({ ...OWN, [name]: text }), [fault]);
    }
  });

  it('production rejects a provider’s address over plain http', () => {
    assert.match(faultsOf({ ...OWN, ADYEN_URL: 'http://live.example' })[0] ?? '', /^ADYEN_URL must begin with https/);
    assert.match(
      faultsOf({ ...OWN, TRUSTLY_URL: 'http://api.example' })[0] ?? '',
      /^TRUSTLY_URL must begin with https/,
    );
    assert.match(faultsOf({ ...OWN, PIX_URL: 'http://pix.example' })[0] ?? '', /^PIX_URL accepts an https address/);
  });

  it('production requires an allow-list or proxy-verified certificates for the callbacks of Pix', () => {
    assert.deepEqual(faultsOf({ ...OWN, PIX_ALLOW_LIST: '' }), [
      'PIX_URL is set, so PIX_ALLOW_LIST or PIX_WEBHOOK_CERTIFICATES must be set too',
    ]);
    const certificates = { ...OWN, PIX_ALLOW_LIST: '', PIX_WEBHOOK_CERTIFICATES: 'AB:'.repeat(31).concat('AB') };
    assert.match(faultsOf(certificates)[0] ?? '', /^PIX_WEBHOOK_CERTIFICATES is set, so TRUSTED_PROXIES/);
    const { pix } = railsOf({ ...certificates, TRUSTED_PROXIES: '10.0.0.1' });
    assert.deepEqual(pix?.webhook, { certificateFingerprints: ['ab'.repeat(32)], allowList: [] });
  });
});

for (const [name, texts] of Object.entries({
  ADYEN_HMAC_KEYS: ['x', 'ab'.repeat(31), `${'ab'.repeat(32)};${'cd'.repeat(32)}`],
  ADYEN_MERCHANT_ACCOUNT: ['a b'],
  PIX_CLIENT_ID: ['a:b', 'a b'],
  PIX_CITY: ['São Paulo', 'x'.repeat(16)],
  PIX_CHAVE: ['a b', 'x'.repeat(78)],
  PIX_WEBHOOK_CERTIFICATES: ['ab', 'AB:CD'],
  PIX_ALLOW_LIST: ['bank.example'],
  TRUSTLY_USERNAME: ['a b'],
  TRUSTLY_PRIVATE_KEY_FILE: ['a\0b'],
})) {
  it(`${name} rejects a malformed value`, () => {
    for (const text of texts) assert.ok(faultsOf({ [name]: text })[0]?.startsWith(`${name} accepts `), text);
  });
}
