/** Trustly’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/trustly/gateway-variables.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import type { EnvironmentVariables } from '../../main/config/config.ts';

const ON = gatewayVariables('http://127.0.0.1:4070');
const SECURE = { TRUSTLY_URL: 'https://api.example/1' };
const OWN = {
  ...PRODUCTION,
  ...SECURE,
  PUBLIC_URL: 'https://pay.example',
  TRUSTLY_USERNAME: 'u',
  TRUSTLY_PASSWORD: 'p',
  TRUSTLY_PRIVATE_KEY_FILE: '/etc/gateway/trustly.pem',
  TRUSTLY_PUBLIC_KEY_FILE: '/etc/gateway/trustly-public.pem',
};

describe('Trustly’s configuration', () => {
  it('the Trustly rail is disabled without its URL', () => assert.equal(railsOf({}).trustly, null));

  it('the Trustly rail in development matches the credentials of Trustly’s simulator', () => {
    const { port, username, password, clientKeyPath, publicKeyPath } = readAllSettings({}, PROJECT_ROOT).trustly;
    const { trustly } = railsOf(ON);
    assert.ok(trustly?.simulated);
    assert.equal(trustly.url, gatewayVariables(`http://127.0.0.1:${port}`).TRUSTLY_URL);
    assert.deepEqual([trustly.username, trustly.password.reveal()], [username, password]);
    assert.equal(trustly.privateKeyFile.replace('private-key', 'public-key'), clientKeyPath);
    assert.equal(trustly.publicKeyFile, publicKeyPath);
  });

  it('the Trustly rail is not simulated in production with the operator’s own credentials', () => {
    assert.equal(railsOf(OWN).trustly?.simulated, false);
  });

  it('production requires every credential of Trustly and does not use a development default', () => {
    const allFaults = faultsOf({ ...PRODUCTION, ...SECURE });
    const faults = allFaults.map((fault) => fault.replace(/(?<=^PUBLIC_URL is not set), and .*/, ''));
    const missing = faults.flatMap((fault) => fault.match(/[A-Z]+_[A-Z_]+(?=,| or| must| is not)/g) ?? []);
    const given = { ...PRODUCTION, ...SECURE };
    const needed = Object.keys(OWN).filter((name) => !Object.hasOwn(given, name));
    assert.deepEqual(new Set(missing), new Set(needed));
  });

  it('production rejects the development default as a secret of Trustly', () => {
    const fault = 'TRUSTLY_PASSWORD must not be the default of development in production: it is public';
    assert.deepEqual(faultsOf({ ...OWN, TRUSTLY_PASSWORD: 'trustly-password' }), [fault]);
  });

  it('production rejects Trustly’s URL over plain http', () => {
    assert.match(
      faultsOf({ ...OWN, TRUSTLY_URL: 'http://api.example' })[0] ?? '',
      /^TRUSTLY_URL must begin with https/,
    );
  });

  it('Trustly’s notification URL is the public URL, or otherwise the address on which the gateway listens', () => {
    const addressOf = (variables: EnvironmentVariables) => railsOf({ ...ON, ...variables }).trustly?.notificationUrl;
    assert.equal(
      addressOf({ PUBLIC_URL: 'https://pay.example/g' }),
      'https://pay.example/g/rail-notifications/trustly',
    );
    assert.equal(addressOf({ PORT: '8181' }), 'http://127.0.0.1:8181/rail-notifications/trustly');
    assert.equal(addressOf({ HOST: '0.0.0.0' }), 'http://127.0.0.1:8080/rail-notifications/trustly');
    assert.equal(addressOf({ HOST: '::' }), 'http://[::1]:8080/rail-notifications/trustly');
  });

  it('readConfig requires PUBLIC_URL for Trustly when the port is not fixed', () => {
    const fault = 'TRUSTLY_URL is set, so PUBLIC_URL must be set too: the provider calls the gateway at this URL';
    assert.deepEqual(faultsOf({ ...ON, PORT: '0' }), [fault]);
  });

  for (const [name, texts] of Object.entries({
    TRUSTLY_USERNAME: ['a b'],
    TRUSTLY_PRIVATE_KEY_FILE: ['a\0b'],
  })) {
    it(`${name} rejects a malformed value`, () => {
      for (const text of texts) assert.ok(faultsOf({ [name]: text })[0]?.startsWith(`${name} accepts `), text);
    });
  }
});
