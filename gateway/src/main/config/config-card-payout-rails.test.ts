/**
 * The rails of card payouts, as the environment configures them. In development they use known credentials; production
 * rejects those.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readAllSettings } from '../../../../rail-simulators/src/simulators.ts';
import { PRODUCTION } from '../../../test/support/gateway/production.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { type RouteSubject, rankRails } from '../../domain/payouts/rail-choice/rank-rails.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { PROJECT_ROOT } from '../../foundation/variables.ts';
import { createRails, keyFilesOf } from '../../rails/registry.ts';
import { type EnvironmentVariables, readConfig } from './config.ts';

const OWN = {
  ...PRODUCTION,
  PUBLIC_URL: 'https://pay.example',
  ADYEN_TRANSFERS_URL: 'https://balanceplatform-api-live.example/btl/v4',
  ADYEN_TRANSFERS_API_KEY: 'a',
  ADYEN_TRANSFERS_BALANCE_ACCOUNT: 'BA1',
  ADYEN_TRANSFERS_HMAC_KEYS: `${'ab'.repeat(32)},${'cd'.repeat(32)}`,
};

function railsOf(variables: EnvironmentVariables) {
  const read = readConfig(variables);
  assert.ok(read.ok, inspect(read));
  return read.value.rails;
}

function faultsOf(variables: EnvironmentVariables): readonly string[] {
  const read = readConfig(variables);
  return read.ok ? [] : read.error;
}

describe('the Adyen Transfers rail', () => {
  it('the Adyen Transfers rail is off without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).adyenTransfers, null);
    const { port, apiKey, balanceAccount, hmacKey } = readAllSettings({}, PROJECT_ROOT).adyenTransfers;
    const { adyenTransfers } = railsOf({ ADYEN_TRANSFERS_URL: `http://127.0.0.1:${port}/btl/v4` });
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

  it('the Visa Direct rail is off without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).visaDirect, null);
    const { port, userId, password, acquiringBin, certificateFolder } = readAllSettings({}, PROJECT_ROOT).visaDirect;
    const { visaDirect } = railsOf({ VISA_DIRECT_URL: `https://127.0.0.1:${port}` });
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
    assert.match(faultsOf({ VISA_DIRECT_URL: 'http://plain.example' }).join(), /accepts an https address/);
  });
});

describe('the Mastercard Send rail', () => {
  const PROGRAMME = {
    MASTERCARD_SEND_URL: 'https://api.mastercard.example/send',
    MASTERCARD_SEND_PARTNER_ID: 'ptnr_1',
    MASTERCARD_SEND_CONSUMER_KEY: 'key!number',
    MASTERCARD_SEND_PRIVATE_KEY_FILE: '/etc/gateway/mastercard.pem',
    MASTERCARD_SEND_SENDER_ACCOUNT: 'raw:1',
  };

  it('the Mastercard Send rail is off without its URL, and in development matches the simulator’s credentials', () => {
    assert.equal(railsOf({}).mastercardSend, null);
    const { port, partnerId, consumerKey, clientKeyPath } = readAllSettings({}, PROJECT_ROOT).mastercardSend;
    const { mastercardSend } = railsOf({ MASTERCARD_SEND_URL: `http://127.0.0.1:${port}/send` });
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

describe('the route of a card payout', () => {
  type Rail = 'ADYEN_TRANSFERS' | 'VISA_DIRECT' | 'MASTERCARD_SEND';
  const EVERY: readonly Rail[] = ['ADYEN_TRANSFERS', 'VISA_DIRECT', 'MASTERCARD_SEND'];
  const rankAmong = (names: readonly Rail[], subject: Pick<RouteSubject, 'method' | 'fields' | 'accountShown'>) => {
    const variables = Object.fromEntries(names.map((name) => [`${name}_URL`, 'https://127.0.0.1:1']));
    const rails = createRails(railsOf(variables), {
      hooks: { onCredentialRefused: () => {} },
      clock: systemClock,
      random: systemRandom,
    });
    const parts = { rails: rails.payoutRails, routes: [], heldBack: () => undefined };
    return rankRails(parts, merchantNamed('M1'), { ...subject, money: { currency: 'EUR', minor: 100n }, draw: 0 });
  };
  const choiceAmong = (...names: readonly Rail[]) =>
    [8, 9, 22, 23, 93].map((method) => {
      const accountShown = method === 22 ? '411111******1111' : '510000******0003';
      return rankAmong(names, { method, fields: new Set(['full_name']), accountShown }).rails[0];
    });

  it('a card payout takes its network’s own rail, and otherwise Adyen’s if that rail carries its method', () => {
    const [adyen, visa, mastercard] = ['adyen-transfers', 'visa-direct', 'mastercard-send'];
    const nobody = undefined;
    assert.deepEqual(choiceAmong(), Array(5).fill(nobody));
    assert.deepEqual(choiceAmong('ADYEN_TRANSFERS'), Array(5).fill(adyen));
    assert.deepEqual(choiceAmong('VISA_DIRECT', 'MASTERCARD_SEND'), [nobody, nobody, visa, mastercard, nobody]);
    assert.deepEqual(choiceAmong(...EVERY), [adyen, adyen, visa, mastercard, adyen]);
  });

  it('a payout of method 9 to a Visa card without a name goes to Visa Direct', () => {
    const toVisa = { method: 9, accountShown: '411111******1111' };
    assert.deepEqual(rankAmong(EVERY, { ...toVisa, fields: new Set() }).rails, ['visa-direct']);
    assert.deepEqual(rankAmong(EVERY, { ...toVisa, fields: new Set(['full_name']) }).rails, [
      'adyen-transfers',
      'visa-direct',
    ]);
  });

  it('a payout of method 9 to a Mastercard without a name is rejected', () => {
    const { rails, obstacles } = rankAmong(EVERY, {
      method: 9,
      accountShown: '510000******0003',
      fields: new Set(),
    });
    assert.deepEqual(rails, []);
    assert.deepEqual(obstacles.map(([code, rail]) => [rail, code]).sort(), [
      ['adyen-transfers', 'needs'],
      ['visa-direct', 'cards_only'],
    ]);
  });
});

describe('the key files that the doctor checks', () => {
  const filesWith = (variables: EnvironmentVariables) =>
    keyFilesOf(railsOf(variables)).map(({ variable, holds, maker }) => `${variable}: ${holds}, ${maker}`);

  it('keyFilesOf lists the key files of each card network whose rail is on', () => {
    assert.deepEqual(filesWith({ VISA_DIRECT_URL: 'https://127.0.0.1:4150', VISA_DIRECT_KEY_ID: 'k' }), [
      'VISA_DIRECT_CERTIFICATE_FILE: certificate, simulator',
      'VISA_DIRECT_PRIVATE_KEY_FILE: private key, simulator',
      'VISA_DIRECT_CA_FILE: certificate, simulator',
      'VISA_DIRECT_ENCRYPTION_FILE: RSA public key, simulator',
      'VISA_DIRECT_DECRYPTION_KEY_FILE: RSA private key, simulator',
    ]);
    assert.deepEqual(filesWith({ MASTERCARD_SEND_URL: 'http://127.0.0.1:4160/send' }), [
      'MASTERCARD_SEND_PRIVATE_KEY_FILE: RSA private key, gateway',
    ]);
  });
});
