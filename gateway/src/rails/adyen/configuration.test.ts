/** Adyen’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatewayVariables } from '../../../../rail-simulators/src/adyen/gateway-variables.ts';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';

const ON = gatewayVariables('http://127.0.0.1:4030');
const SECURE = { ADYEN_URL: 'https://live.example/checkout/v72' };
const OWN = {
  ...PRODUCTION,
  ...SECURE,
  PUBLIC_URL: 'https://pay.example',
  ADYEN_API_KEY: 'a',
  ADYEN_MERCHANT_ACCOUNT: 'Account',
  ADYEN_HMAC_KEYS: `${'ab'.repeat(32)},${'cd'.repeat(32)}`,
};

describe('Adyen’s configuration', () => {
  it('the Adyen rail is disabled without its URL', () => assert.equal(railsOf({}).adyen, null));

  it('the Adyen rail in development matches the credentials of Adyen’s simulator', () => {
    const { port, apiKey, merchantAccount, hmacKey } = readAllSettings({}, PROJECT_ROOT).adyen;
    const { adyen } = railsOf(ON);
    assert.ok(adyen?.simulated);
    assert.equal(adyen.url, gatewayVariables(`http://127.0.0.1:${port}`).ADYEN_URL);
    assert.deepEqual(
      [adyen.apiKey.reveal(), adyen.merchantAccount, ...adyen.hmacKeys.map((key) => key.reveal())],
      [apiKey, merchantAccount, hmacKey],
    );
  });

  it('the Adyen rail is not simulated in production with the operator’s own credentials', () => {
    const { adyen } = railsOf(OWN);
    assert.deepEqual([adyen?.simulated, adyen?.hmacKeys.length], [false, 2]);
  });

  it('production requires every credential of Adyen and does not use a development default', () => {
    const allFaults = faultsOf({ ...PRODUCTION, ...SECURE });
    const faults = allFaults.map((fault) => fault.replace(/(?<=^PUBLIC_URL is not set), and .*/, ''));
    const missing = faults.flatMap((fault) => fault.match(/[A-Z]+_[A-Z_]+(?=,| or| must| is not)/g) ?? []);
    const given = { ...PRODUCTION, ...SECURE };
    const needed = Object.keys(OWN).filter((name) => !Object.hasOwn(given, name));
    assert.deepEqual(new Set(missing), new Set(needed));
  });

  it('production rejects the development defaults as secrets of Adyen', () => {
    for (const [name, text] of Object.entries({
      ADYEN_API_KEY: 'adyen-api-key',
      ADYEN_HMAC_KEYS: '0123456789ABCDEF'.repeat(4),
    })) {
      const fault = `${name} must not be the default of development in production: it is public`;
      assert.deepEqual(faultsOf({ ...OWN, [name]: text }), [fault]);
    }
  });

  it('production rejects Adyen’s URL over plain http', () => {
    assert.match(faultsOf({ ...OWN, ADYEN_URL: 'http://live.example' })[0] ?? '', /^ADYEN_URL must begin with https/);
  });

  for (const [name, texts] of Object.entries({
    ADYEN_HMAC_KEYS: ['x', 'ab'.repeat(31), `${'ab'.repeat(32)};${'cd'.repeat(32)}`],
    ADYEN_MERCHANT_ACCOUNT: ['a b'],
  })) {
    it(`${name} rejects a malformed value`, () => {
      for (const text of texts) assert.ok(faultsOf({ [name]: text })[0]?.startsWith(`${name} accepts `), text);
    });
  }
});
