/** Visa Direct’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/visa-direct/gateway-variables.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';

describe('the Visa Direct rail', () => {
  const PROGRAMME = {
    VISA_DIRECT_URL: 'https://api.visa.example',
    VISA_DIRECT_USER_ID: 'u',
    VISA_DIRECT_PASSWORD: 'p',
    VISA_DIRECT_CERTIFICATE_FILE: '/etc/gateway/visa.pem',
    VISA_DIRECT_PRIVATE_KEY_FILE: '/etc/gateway/visa-key.pem',
    VISA_DIRECT_ACQUIRING_BIN: '408999',
    VISA_DIRECT_ACQUIRER_COUNTRY: '528',
    VISA_DIRECT_CARD_ACCEPTOR: 'A',
    VISA_DIRECT_TERMINAL: 'T',
    VISA_DIRECT_CARD_ACCEPTOR_COUNTRY: 'NLD',
    VISA_DIRECT_SENDER_NAME: 'Us',
    VISA_DIRECT_SENDER_ADDRESS: 'Here 1',
    VISA_DIRECT_SENDER_CITY: 'Here',
    VISA_DIRECT_SENDER_COUNTRY: '528',
  };

  it('the Visa Direct rail is disabled without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).visaDirect, null);
    const { port, userId, password, acquiringBin, certificateFolder } = readAllSettings({}, PROJECT_ROOT).visaDirect;
    const { visaDirect } = railsOf(gatewayVariables(`https://127.0.0.1:${port}`));
    assert.ok(visaDirect?.simulated);
    assert.deepEqual(
      [visaDirect.userId, visaDirect.password.reveal(), visaDirect.programme.acquiringBin],
      [userId, password, acquiringBin],
    );
    const files = ['client-certificate.pem', 'client-key.pem', 'ca.pem'].map((file) => `${certificateFolder}/${file}`);
    assert.deepEqual([visaDirect.certificateFile, visaDirect.privateKeyFile, visaDirect.caFile], files);
  });

  it('the Visa Direct rail is not simulated in production with the programme’s settings', () => {
    const { visaDirect } = railsOf({ ...PRODUCTION, ...PROGRAMME });
    assert.deepEqual(
      [visaDirect?.simulated, visaDirect?.caFile, visaDirect?.programme.businessApplication],
      [false, null, 'FD'],
    );
    assert.equal(visaDirect?.programme.merchantCategory, null);
    assert.equal(visaDirect?.encryption, null);
  });

  it('the Visa Direct rail encrypts messages when a key id is set, and production then requires both key files', () => {
    const { encryption } =
      railsOf({ VISA_DIRECT_URL: 'https://127.0.0.1:4150', VISA_DIRECT_KEY_ID: 'k' }).visaDirect ?? {};
    const { certificateFolder } = readAllSettings({}, PROJECT_ROOT).visaDirect;
    const files = {
      visaKeyFile: `${certificateFolder}/encryption-key.pem`,
      ownKeyFile: `${certificateFolder}/decryption-key.pem`,
    };
    assert.deepEqual(encryption, { keyId: 'k', ...files });
    assert.deepEqual(faultsOf({ ...PRODUCTION, ...PROGRAMME, VISA_DIRECT_KEY_ID: 'k' }), [
      'VISA_DIRECT_KEY_ID is set, so VISA_DIRECT_ENCRYPTION_FILE, VISA_DIRECT_DECRYPTION_KEY_FILE must be set too',
    ]);
  });

  it('production rejects Visa Direct over plain http, with missing settings or with the development password', () => {
    const { VISA_DIRECT_URL } = PROGRAMME;
    const missing = faultsOf({ ...PRODUCTION, VISA_DIRECT_URL }).join();
    for (const name of Object.keys(PROGRAMME).slice(1)) assert.ok(missing.includes(name), name);
    const known = { ...PRODUCTION, ...PROGRAMME, VISA_DIRECT_PASSWORD: 'visa-direct-password' };
    assert.match(faultsOf(known).join(), /^VISA_DIRECT_PASSWORD must not be the default/);
    assert.match(faultsOf({ VISA_DIRECT_URL: 'http://plain.example' }).join(), /accepts an https URL/);
  });
});
