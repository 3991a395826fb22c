/**
 * WayForPay's configuration from the environment: off, on with the defaults of development, and rejected in production.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION as IN_PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import type { EnvironmentVariables } from '../../main/config/config.ts';

const WAYFORPAY_URL = 'http://127.0.0.1:4080';
const PRODUCTION = {
  ...IN_PRODUCTION,
  PUBLIC_URL: 'https://pay.example',
  WAYFORPAY_URL: 'https://api.wayforpay.com',
  WAYFORPAY_MERCHANT_ACCOUNT: 'shop_example',
  WAYFORPAY_SECRET_KEY: 'its own',
};

const railOf = (variables: EnvironmentVariables) => railsOf(variables).wayforpay;

describe('WayForPay’s configuration', () => {
  it('WayForPay is disabled without its URL and uses its simulator’s credentials in development', () => {
    assert.equal(railOf({}), null);
    const rail = railOf({ WAYFORPAY_URL });
    const { port, merchantAccount, secretKey } = readSettingsOf('wayforpay', {}, '/');
    assert.equal(rail?.url, `http://127.0.0.1:${port}`);
    assert.deepEqual([rail?.merchantAccount, rail?.secretKey.reveal()], [merchantAccount, secretKey]);
    assert.equal(rail?.serviceUrl, 'http://127.0.0.1:8080/rail-notifications/wayforpay');
    assert.equal(rail?.simulated, true);
  });

  it('WayForPay in production moves real money and uses our public URL', () => {
    const rail = railOf(PRODUCTION);
    assert.deepEqual([rail?.simulated, rail?.serviceUrl], [false, 'https://pay.example/rail-notifications/wayforpay']);
  });

  const wrong: readonly (readonly [change: EnvironmentVariables, fault: RegExp])[] = [
    [{ WAYFORPAY_URL }, /WAYFORPAY_URL must begin with https/],
    [{ WAYFORPAY_SECRET_KEY: undefined }, /WAYFORPAY_SECRET_KEY must be set/],
    [{ WAYFORPAY_MERCHANT_ACCOUNT: undefined }, /WAYFORPAY_MERCHANT_ACCOUNT must be set/],
    [{ WAYFORPAY_MERCHANT_ACCOUNT: 'a;b' }, /WAYFORPAY_MERCHANT_ACCOUNT accepts/],
    [{ WAYFORPAY_SECRET_KEY: 'wayforpay-secret-key' }, /WAYFORPAY_SECRET_KEY must not be the default/],
    [{ PUBLIC_URL: undefined }, /PUBLIC_URL is not set, and WAYFORPAY_URL needs it/],
  ];
  for (const [change, fault] of wrong)
    it(`WayForPay’s configuration is rejected in production with ${inspect(change)}`, () =>
      assert.match(faultsOf({ ...PRODUCTION, ...change }).join('; '), fault));
});
