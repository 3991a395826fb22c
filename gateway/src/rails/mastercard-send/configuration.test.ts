/** Mastercard Send’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatewayVariables } from '../../../../rail-simulators/src/mastercard-send/gateway-variables.ts';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';

describe('the Mastercard Send rail', () => {
  const PROGRAMME = {
    MASTERCARD_SEND_URL: 'https://api.mastercard.example/send',
    MASTERCARD_SEND_PARTNER_ID: 'ptnr_1',
    MASTERCARD_SEND_CONSUMER_KEY: 'key!number',
    MASTERCARD_SEND_PRIVATE_KEY_FILE: '/etc/gateway/mastercard.pem',
    MASTERCARD_SEND_SENDER_ACCOUNT: 'raw:1',
  };

  it('the Mastercard Send rail is disabled without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).mastercardSend, null);
    const { port, partnerId, consumerKey, clientKeyPath } = readAllSettings({}, PROJECT_ROOT).mastercardSend;
    const { mastercardSend } = railsOf(gatewayVariables(`http://127.0.0.1:${port}`));
    assert.ok(mastercardSend?.simulated);
    assert.deepEqual([mastercardSend.partnerId, mastercardSend.consumerKey.reveal()], [partnerId, consumerKey]);
    assert.equal(mastercardSend.privateKeyFile.replace('private-key', 'public-key'), clientKeyPath);
  });

  it('the Mastercard Send rail is not simulated in production with the programme’s settings', () => {
    const { mastercardSend } = railsOf({ ...PRODUCTION, ...PROGRAMME });
    assert.deepEqual(
      [mastercardSend?.simulated, mastercardSend?.programme],
      [false, { paymentType: 'BDB', senderAccount: 'raw:1', originCountry: null }],
    );
  });

  it('production rejects Mastercard Send over plain http, with missing settings or with the development consumer key', () => {
    const { MASTERCARD_SEND_URL } = PROGRAMME;
    const missing = faultsOf({ ...PRODUCTION, MASTERCARD_SEND_URL }).join();
    for (const name of Object.keys(PROGRAMME).slice(1)) assert.ok(missing.includes(name), name);
    const known = { ...PRODUCTION, ...PROGRAMME, MASTERCARD_SEND_CONSUMER_KEY: 'gateway!mastercard-send' };
    assert.match(faultsOf(known).join(), /^MASTERCARD_SEND_CONSUMER_KEY must not be the default/);
    const plain = { ...PRODUCTION, ...PROGRAMME, MASTERCARD_SEND_URL: 'http://plain.example' };
    assert.match(faultsOf(plain).join(), /^MASTERCARD_SEND_URL must begin with https/);
  });
});
