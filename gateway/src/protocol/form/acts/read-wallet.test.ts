import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedToken } from '../../../../../rail-simulators/src/adyen/wallets.ts';
import { readWalletPayment } from './read-wallet.ts';

const posted = (wallet: string, token: string) =>
  new Map([
    ['wallet', wallet],
    ['wallet_token', token],
  ]);
const GOOGLE = simulatedToken('google_pay', '4111111111111111', 'one');

describe('readWalletPayment', () => {
  it('readWalletPayment accepts a token of each wallet, and identifies it by its encrypted part', () => {
    for (const wallet of ['apple_pay', 'google_pay'] as const) {
      const token = simulatedToken(wallet, '4111111111111111', 'one');
      const respelt = JSON.stringify(JSON.parse(token), null, 2);
      const [read, again] = [token, respelt].map((text) => readWalletPayment(posted(wallet, text)));
      assert.equal(read?.token.reveal(), token);
      assert.equal(read?.sealedPart.reveal(), again?.sealedPart.reveal());
    }
  });

  for (const [name, wallet, token] of [
    ['of an unknown wallet', 'other_pay', GOOGLE],
    ['of the other wallet', 'apple_pay', GOOGLE],
    ['that is not JSON', 'google_pay', 'token'],
    ['that is not an object', 'google_pay', '[]'],
    ['with a repeated key', 'google_pay', '{"signedMessage":"x","signedMessage":"y","signature":"z"}'],
    ['without a signature', 'google_pay', '{"signedMessage":"x"}'],
    ['longer than Adyen takes', 'google_pay', `${GOOGLE.slice(0, -1)},"more":"${'x'.repeat(7_500)}"}`],
  ] as const)
    it(`readWalletPayment rejects a token ${name}`, () =>
      assert.equal(readWalletPayment(posted(wallet, token)), undefined));
});
