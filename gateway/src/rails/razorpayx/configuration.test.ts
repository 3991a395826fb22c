/**
 * RazorpayX's configuration from the environment: off, on with the defaults of development, and rejected in production.
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
  RAZORPAYX_URL: 'https://api.razorpay.com/v1',
};
const OWN = {
  ...PRODUCTION,
  RAZORPAYX_KEY_ID: 'rzp_live_1',
  RAZORPAYX_KEY_SECRET: 's',
  RAZORPAYX_ACCOUNT_NUMBER: '409001396356',
  RAZORPAYX_WEBHOOK_SECRETS: 'new, old',
};

const razorpayxOf = (variables: EnvironmentVariables) => railsOf(variables).razorpayx;

describe('RazorpayX’s configuration', () => {
  it('RazorpayX is disabled without its URL and uses its simulator’s credentials in development', () => {
    assert.equal(razorpayxOf({}), null);
    const { port, keyId, keySecret, accountNumber, webhookSecret } = readAllSettings({}, PROJECT_ROOT).razorpayx;
    const rail = razorpayxOf({ RAZORPAYX_URL: `http://127.0.0.1:${port}/v1` });
    assert.ok(rail);
    assert.deepEqual(
      [rail.keyId, rail.keySecret.reveal(), rail.accountNumber, rail.webhookSecrets.map((secret) => secret.reveal())],
      [keyId, keySecret, accountNumber, [webhookSecret]],
    );
    assert.deepEqual([rail.simulated, rail.purpose], [true, 'payout']);
  });

  it('RazorpayX in production uses its own credentials', () => {
    const rail = razorpayxOf(OWN);
    assert.deepEqual([rail?.simulated, rail?.webhookSecrets.length], [false, 2]);
  });

  it('RazorpayX’s configuration is rejected in production if a variable is missing, invalid or a default', () => {
    assert.deepEqual(faultsOf(PRODUCTION), [
      'RAZORPAYX_URL is set, so RAZORPAYX_KEY_ID, RAZORPAYX_KEY_SECRET, RAZORPAYX_ACCOUNT_NUMBER, RAZORPAYX_WEBHOOK_SECRETS must be set too',
    ]);
    const wrong: readonly (readonly [name: string, text: string, fault: RegExp])[] = [
      ['RAZORPAYX_URL', 'http://api.razorpay.com/v1', /must begin with https/],
      ['RAZORPAYX_KEY_ID', 'rzp_test_1', /must not begin with rzp_test_ in production/],
      ['RAZORPAYX_KEY_ID', 'live_1', /^RAZORPAYX_KEY_ID accepts/],
      ['RAZORPAYX_KEY_SECRET', 'razorpayx-key-secret', /it is public/],
      ['RAZORPAYX_WEBHOOK_SECRETS', 'razorpayx-webhook-secret', /it is public/],
      ['RAZORPAYX_WEBHOOK_SECRETS', 'a,,b', /^RAZORPAYX_WEBHOOK_SECRETS accepts/],
    ];
    for (const [name, text, fault] of wrong) assert.match(faultsOf({ ...OWN, [name]: text }).join('\n'), fault);
  });
});
