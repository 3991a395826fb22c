/** The Adyen Transfers rail’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatewayVariables } from '../../../../rail-simulators/src/adyen-transfers/gateway-variables.ts';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';

const OWN = {
  ...PRODUCTION,
  PUBLIC_URL: 'https://pay.example',
  ADYEN_TRANSFERS_URL: 'https://balanceplatform-api-live.example/btl/v4',
  ADYEN_TRANSFERS_API_KEY: 'a',
  ADYEN_TRANSFERS_BALANCE_ACCOUNT: 'BA1',
  ADYEN_TRANSFERS_HMAC_KEYS: `${'ab'.repeat(32)},${'cd'.repeat(32)}`,
};

describe('the Adyen Transfers rail', () => {
  it('the Adyen Transfers rail is disabled without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).adyenTransfers, null);
    const { port, apiKey, balanceAccount, hmacKey } = readAllSettings({}, PROJECT_ROOT).adyenTransfers;
    const { adyenTransfers } = railsOf({
      ADYEN_TRANSFERS_URL: gatewayVariables(`http://127.0.0.1:${port}`).ADYEN_TRANSFERS_URL,
    });
    assert.ok(adyenTransfers?.simulated);
    assert.equal(adyenTransfers.balancesUrl, null);
    assert.deepEqual(
      [
        adyenTransfers.apiKey.reveal(),
        adyenTransfers.balanceAccount,
        adyenTransfers.hmacKeys.map((key) => key.reveal()),
      ],
      [apiKey, balanceAccount, [hmacKey]],
    );
  });

  it('the Adyen Transfers rail is not simulated in production with the operator’s own credentials', () => {
    const { adyenTransfers } = railsOf(OWN);
    assert.deepEqual([adyenTransfers?.simulated, adyenTransfers?.hmacKeys.length], [false, 2]);
  });

  it('production rejects Adyen Transfers over plain http, with missing settings or with development credentials', () => {
    const known = {
      ADYEN_TRANSFERS_API_KEY: 'adyen-transfers-api-key',
      ADYEN_TRANSFERS_HMAC_KEYS: 'FEDCBA9876543210'.repeat(4),
    };
    const plain = 'http://plain.example';
    assert.deepEqual(faultsOf({ ...OWN, ADYEN_TRANSFERS_URL: plain, ADYEN_TRANSFERS_BALANCES_URL: plain }), [
      'ADYEN_TRANSFERS_URL and ADYEN_TRANSFERS_BALANCES_URL must begin with https:// in production',
    ]);
    assert.match(
      faultsOf({ ...OWN, ...known }).join(),
      /^ADYEN_TRANSFERS_API_KEY and ADYEN_TRANSFERS_HMAC_KEYS must not/,
    );
    const { ADYEN_TRANSFERS_URL } = OWN;
    assert.match(
      faultsOf({ ...PRODUCTION, ADYEN_TRANSFERS_URL }).join(),
      /so ADYEN_TRANSFERS_API_KEY, ADYEN_TRANSFERS_BALANCE_ACCOUNT, ADYEN_TRANSFERS_HMAC_KEYS must be set too/,
    );
  });

  it('the Adyen Transfers rail rejects a malformed balance account or HMAC key', () => {
    for (const change of [{ ADYEN_TRANSFERS_BALANCE_ACCOUNT: 'AH1' }, { ADYEN_TRANSFERS_HMAC_KEYS: 'xyz' }]) {
      assert.match(faultsOf({ ...OWN, ...change }).join(), /accepts/);
    }
  });
});
