/** Pix’s configuration from the environment: off, on with the defaults of development, and rejected in production. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatewayVariables } from '../../../../rail-simulators/src/pix/gateway-variables.ts';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { faultsOf, railsOf } from '../../../test/support/rails/rail-configuration.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';

const ON = gatewayVariables('https://127.0.0.1:4050');
const SECURE = { PIX_URL: 'https://pix.example/api/v2' };
const OWN = {
  ...PRODUCTION,
  ...SECURE,
  PUBLIC_URL: 'https://pay.example',
  PIX_CLIENT_ID: 'c',
  PIX_CLIENT_SECRET: 's',
  PIX_CHAVE: 'pix@example.com',
  PIX_CITY: 'Recife',
  PIX_CERTIFICATE_FILE: '/etc/gateway/pix.pem',
  PIX_PRIVATE_KEY_FILE: '/etc/gateway/pix-key.pem',
  PIX_ALLOW_LIST: '203.0.113.0/28',
};

describe('Pix’s configuration', () => {
  it('the Pix rail is disabled without its URL', () => assert.equal(railsOf({}).pix, null));

  it('the Pix rail in development matches the credentials of the bank’s simulator', () => {
    const { port, clientId, clientSecret, chave, receiver, certificateFolder, webhookUrl } = readAllSettings(
      {},
      PROJECT_ROOT,
    ).pix;
    const { pix } = railsOf(ON);
    assert.ok(pix?.simulated);
    assert.deepEqual(
      [pix.url, pix.tokenUrl],
      [gatewayVariables(`https://127.0.0.1:${port}`).PIX_URL, `https://127.0.0.1:${port}/oauth/token`],
    );
    assert.deepEqual(
      [pix.clientId, pix.clientSecret.reveal(), pix.chave, pix.city],
      [clientId, clientSecret, chave, receiver.city],
    );
    const files = ['client-certificate.pem', 'client-key.pem', 'ca.pem'].map((file) => `${certificateFolder}/${file}`);
    assert.deepEqual([pix.certificateFile, pix.privateKeyFile, pix.caFile], files);
    assert.equal(pix.webhookUrl, webhookUrl);
  });

  it('the Pix rail is not simulated in production with the operator’s own credentials', () => {
    const { pix } = railsOf(OWN);
    assert.deepEqual([pix?.simulated, pix?.caFile], [false, null]);
  });

  it('production requires every credential of Pix and does not use a development default', () => {
    const allFaults = faultsOf({ ...PRODUCTION, ...SECURE });
    const faults = allFaults.map((fault) => fault.replace(/(?<=^PUBLIC_URL is not set), and .*/, ''));
    const missing = faults.flatMap((fault) => fault.match(/[A-Z]+_[A-Z_]+(?=,| or| must| is not)/g) ?? []);
    const given = { ...PRODUCTION, ...SECURE };
    const needed = Object.keys(OWN).filter((name) => !Object.hasOwn(given, name));
    assert.deepEqual(new Set(missing.filter((name) => name !== 'PIX_WEBHOOK_CERTIFICATES')), new Set(needed));
  });

  it('production rejects the development default as a secret of Pix', () => {
    const fault = 'PIX_CLIENT_SECRET must not be the default of development in production: it is public';
    assert.deepEqual(faultsOf({ ...OWN, PIX_CLIENT_SECRET: 'pix-client-secret' }), [fault]);
  });

  it('production rejects Pix’s URL over plain http', () => {
    assert.match(faultsOf({ ...OWN, PIX_URL: 'http://pix.example' })[0] ?? '', /^PIX_URL accepts an https URL/);
  });

  it('production requires an allow-list or proxy-verified certificates for the callbacks of Pix', () => {
    assert.deepEqual(faultsOf({ ...OWN, PIX_ALLOW_LIST: '' }), [
      'PIX_URL is set, so PIX_ALLOW_LIST or PIX_WEBHOOK_CERTIFICATES must be set too',
    ]);
    const certificates = { ...OWN, PIX_ALLOW_LIST: '', PIX_WEBHOOK_CERTIFICATES: 'AB:'.repeat(31).concat('AB') };
    assert.match(faultsOf(certificates)[0] ?? '', /^PIX_WEBHOOK_CERTIFICATES is set, so TRUSTED_PROXIES/);
    const { pix } = railsOf({ ...certificates, TRUSTED_PROXIES: '10.0.0.1' });
    assert.deepEqual(pix?.webhook, { certificateFingerprints: ['ab'.repeat(32)], allowList: [] });
  });

  it('readConfig requires PUBLIC_URL for Pix when the port is not fixed', () => {
    const fault = 'PIX_URL is set, so PUBLIC_URL must be set too: the provider calls the gateway at this URL';
    assert.deepEqual(faultsOf({ ...ON, PORT: '0' }), [fault]);
  });

  for (const [name, texts] of Object.entries({
    PIX_CLIENT_ID: ['a:b', 'a b'],
    PIX_CITY: ['São Paulo', 'x'.repeat(16)],
    PIX_CHAVE: ['a b', 'x'.repeat(78)],
    PIX_WEBHOOK_CERTIFICATES: ['ab', 'AB:CD'],
    PIX_ALLOW_LIST: ['bank.example'],
  })) {
    it(`${name} rejects a malformed value`, () => {
      for (const text of texts) assert.ok(faultsOf({ [name]: text })[0]?.startsWith(`${name} accepts `), text);
    });
  }
});
