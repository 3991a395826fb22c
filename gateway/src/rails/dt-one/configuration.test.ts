/**
 * DT One's configuration from the environment: off, on with the defaults of development, and rejected in production.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION as IN_PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import type { EnvironmentVariables } from '../../main/config/config.ts';

const PRODUCTION = {
  ...IN_PRODUCTION,
  PUBLIC_URL: 'https://pay.example',
  DT_ONE_URL: 'https://dvs-api.dtone.com/v1',
};
const OWN = {
  ...PRODUCTION,
  DT_ONE_API_KEY: 'key',
  DT_ONE_API_SECRET: 's',
  DT_ONE_PRODUCTS: '1:2, 3:4',
  DT_ONE_CALLBACK_USERNAME: 'u',
  DT_ONE_CALLBACK_PASSWORD: 'p',
};

const dtOneOf = (variables: EnvironmentVariables) => railsOf(variables).dtOne;

describe('DT One’s configuration', () => {
  it('DT One is disabled without its URL and uses its simulator’s credentials in development', () => {
    assert.equal(dtOneOf({}), null);
    const { port, apiKey, apiSecret, callbackUsername, callbackPassword } = readAllSettings({}, PROJECT_ROOT).dtOne;
    const rail = dtOneOf({ DT_ONE_URL: `http://127.0.0.1:${port}/v1` });
    assert.ok(rail);
    assert.deepEqual(
      [rail.apiKey, rail.apiSecret.reveal(), rail.callbackUsername, rail.callbackPassword.reveal()],
      [apiKey, apiSecret, callbackUsername, callbackPassword],
    );
    assert.equal(rail.callbackUrl, 'http://127.0.0.1:8080/rail-notifications/dt-one');
    assert.equal(rail.simulated, true);
  });

  it('DT One in production uses its own credentials and our public URL', () => {
    const rail = dtOneOf(OWN);
    assert.deepEqual([rail?.simulated, rail?.callbackUrl], [false, 'https://pay.example/rail-notifications/dt-one']);
    assert.deepEqual(rail?.products, [
      { operatorId: '1', productId: '2' },
      { operatorId: '3', productId: '4' },
    ]);
  });

  it('DT One’s configuration is rejected in production if a variable is missing, invalid or a default', () => {
    const { PUBLIC_URL: _, ...hidden } = PRODUCTION;
    const [missing, ...others] = faultsOf(hidden);
    assert.match(others.join(), /^PUBLIC_URL is not set, and DT_ONE_URL needs it: /);
    assert.deepEqual(
      [missing],
      [
        'DT_ONE_URL is set, so DT_ONE_API_KEY, DT_ONE_API_SECRET, DT_ONE_PRODUCTS, DT_ONE_CALLBACK_USERNAME, DT_ONE_CALLBACK_PASSWORD must be set too',
      ],
    );
    const wrong: readonly (readonly [name: string, text: string, fault: RegExp])[] = [
      ['DT_ONE_URL', 'http://dvs-api.dtone.com/v1', /must begin with https/],
      ['DT_ONE_PRODUCTS', '1', /^DT_ONE_PRODUCTS accepts/],
      ['DT_ONE_CALLBACK_USERNAME', 'a:b', /^DT_ONE_CALLBACK_USERNAME accepts/],
      ['DT_ONE_API_SECRET', 'dt-one-api-secret', /it is public/],
      ['DT_ONE_CALLBACK_PASSWORD', 'dt-one-callback-password', /it is public/],
    ];
    for (const [name, text, fault] of wrong) assert.match(faultsOf({ ...OWN, [name]: text }).join('\n'), fault);
  });
});
