/** The rails of card payouts together: the route of a payout among them, and the key files that the doctor checks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merchantNamed } from '../../test/support/merchants/merchant-named.ts';
import { railsOf } from '../../test/support/rails/rail-configuration.ts';
import { type RouteSubject, rankRails } from '../domain/payouts/rail-choice/rank-rails.ts';
import { systemClock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import type { EnvironmentVariables } from '../main/config/config.ts';
import { createRails, keyFilesOf } from './registry.ts';

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

  it('a card payout uses its network’s own rail, and otherwise Adyen’s if that rail carries its method', () => {
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
