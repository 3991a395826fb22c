/**
 * Epoint's configuration from the environment: off, on with the defaults of development, and rejected in production.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION as IN_PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import type { EnvironmentVariables } from '../../main/config/config.ts';

const EPOINT_URL = 'http://127.0.0.1:4110/api/1';
const PRODUCTION = {
  ...IN_PRODUCTION,
  PUBLIC_URL: 'https://pay.example',
  EPOINT_URL: 'https://epoint.az/api/1',
  EPOINT_PUBLIC_KEY: 'i000000002',
  EPOINT_PRIVATE_KEY: 'its own',
  EPOINT_CARDS_FILE: '/etc/gateway/epoint-cards',
};

const railOf = (variables: EnvironmentVariables) => railsOf(variables).epoint;

describe('Epoint’s configuration', () => {
  it('Epoint is disabled without its URL and uses its simulator’s credentials in development', () => {
    assert.equal(railOf({}), null);
    const rail = railOf({ EPOINT_URL });
    const { port, publicKey, privateKey } = readSettingsOf('epoint', {}, '/');
    assert.equal(rail?.url, `http://127.0.0.1:${port}/api/1`);
    assert.deepEqual([rail?.publicKey, rail?.privateKey.reveal()], [publicKey, privateKey]);
    assert.match(rail?.cardsFile ?? '', /^\/.*\/data\/epoint-cards$/);
    assert.equal(rail?.simulated, true);
  });

  it('Epoint in production moves real money', () => {
    const rail = railOf(PRODUCTION);
    assert.deepEqual([rail?.simulated, rail?.cardsFile], [false, '/etc/gateway/epoint-cards']);
  });

  const wrong: readonly (readonly [change: EnvironmentVariables, fault: RegExp])[] = [
    [{ EPOINT_URL }, /EPOINT_URL must begin with https/],
    [{ EPOINT_PUBLIC_KEY: undefined }, /EPOINT_PUBLIC_KEY must be set/],
    [{ EPOINT_PRIVATE_KEY: undefined }, /EPOINT_PRIVATE_KEY must be set/],
    [{ EPOINT_CARDS_FILE: undefined }, /EPOINT_CARDS_FILE must be set/],
    [{ EPOINT_PUBLIC_KEY: 'a b' }, /EPOINT_PUBLIC_KEY accepts/],
    [{ EPOINT_PRIVATE_KEY: 'epoint-private-key' }, /EPOINT_PRIVATE_KEY must not be the default/],
  ];
  for (const [change, fault] of wrong)
    it(`Epoint’s configuration is rejected in production with ${inspect(change)}`, () =>
      assert.match(faultsOf({ ...PRODUCTION, ...change }).join('; '), fault));
});
