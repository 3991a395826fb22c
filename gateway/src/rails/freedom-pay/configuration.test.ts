/**
 * Freedom Pay's configuration from the environment: off, on with the defaults of development, and rejected in
 * production.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION as IN_PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import type { EnvironmentVariables } from '../../main/config/config.ts';

const PRODUCTION = {
  ...IN_PRODUCTION,
  FREEDOM_PAY_URL: 'https://api.freedompay.example',
};
const OWN = {
  ...PRODUCTION,
  PUBLIC_URL: 'https://pay.example/g',
  FREEDOM_PAY_MERCHANT_ID: '9970',
  FREEDOM_PAY_PAYOUT_SECRET: 's',
};

const freedomPayOf = (variables: EnvironmentVariables) => railsOf(variables).freedomPay;

describe('Freedom Pay’s configuration', () => {
  it('Freedom Pay is disabled without its URL', () => {
    assert.equal(freedomPayOf({}), null);
  });

  it('Freedom Pay in development is its simulator with the simulator’s credentials', () => {
    const { port, merchantId, payoutSecret } = readSettingsOf('freedomPay', {}, PROJECT_ROOT);
    const url = `http://127.0.0.1:${port}`;
    const rail = freedomPayOf({ FREEDOM_PAY_URL: url });
    assert.deepEqual([rail?.merchantId, rail?.payoutSecret.reveal()], [merchantId, payoutSecret]);
    assert.equal(rail?.notificationUrl, 'http://127.0.0.1:8080/rail-notifications/freedom-pay');
    assert.equal(rail?.simulated, true);
  });

  it('Freedom Pay in production uses its own credentials and our public URL', () => {
    const rail = freedomPayOf(OWN);
    assert.deepEqual(
      [rail?.merchantId, rail?.payoutSecret.reveal(), rail?.simulated, rail?.notificationUrl],
      ['9970', 's', false, 'https://pay.example/g/rail-notifications/freedom-pay'],
    );
  });

  it('Freedom Pay’s configuration is rejected in production without real credentials and https', () => {
    const [missing, ...others] = faultsOf(PRODUCTION);
    assert.match(others.join(), /^PUBLIC_URL is not set, and FREEDOM_PAY_URL needs it: /);
    assert.deepEqual(
      [missing],
      ['FREEDOM_PAY_URL is set, so FREEDOM_PAY_MERCHANT_ID, FREEDOM_PAY_PAYOUT_SECRET must be set too'],
    );
    assert.match(
      faultsOf({ ...OWN, FREEDOM_PAY_PAYOUT_SECRET: 'freedom-pay-payout-secret' })[0] ?? '',
      /^FREEDOM_PAY_PAYOUT_SECRET must not be the default of development/,
    );
    assert.match(faultsOf({ ...OWN, FREEDOM_PAY_URL: 'http://x.example' })[0] ?? '', /^FREEDOM_PAY_URL must begin/);
    assert.match(faultsOf({ FREEDOM_PAY_MERCHANT_ID: 'a' })[0] ?? '', /^FREEDOM_PAY_MERCHANT_ID accepts/);
  });
});
